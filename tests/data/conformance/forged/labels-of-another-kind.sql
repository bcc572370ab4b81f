-- base: hand
-- refused: The kind is none of three. (section 2)
UPDATE claim SET labels = X'7501010d0000000500000078da6360606262020000110007';
