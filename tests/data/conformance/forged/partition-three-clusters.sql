-- base: hand
-- refused: The labels use three clusters, where k = 2. (section 7)
UPDATE claim SET labels = X'6901010d0000000500000078da6360606262010000130009';
