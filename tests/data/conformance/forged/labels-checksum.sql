-- base: hand
-- refused: The checksum of the stream is wrong. (section 2)
UPDATE claim SET labels = X'6901010d0000000500000078da6360606262020000110006';
