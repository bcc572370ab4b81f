-- base: hand
-- refused: The array ends early. (section 2)
UPDATE claim SET labels = X'6901010d0000000500000078da63606062620200001100';
