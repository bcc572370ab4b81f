-- base: hand
-- refused: The length ends before the stream does. (section 2)
UPDATE claim SET labels = X'6901010c0000000500000078da6360606262020000110007';
