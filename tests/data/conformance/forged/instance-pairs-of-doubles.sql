-- base: hand
-- refused: The pairs are doubles. (section 2)
UPDATE instance SET must_link = X'6608020e000000010000000200000078da636040021c0e0e0000e80089';
