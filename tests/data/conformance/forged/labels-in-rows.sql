-- base: hand
-- refused: Labels are an array of two dimensions. (section 2)
UPDATE claim SET labels = X'6901020d000000050000000100000078da6360606262020000110007';
