-- base: gram
-- refused: Two rows for three points. (section 14)
UPDATE instance SET gram = X'6608020e000000020000000200000078da6360c00d1c80080001600081';
