-- base: hand
-- refused: The labels use one cluster, where k = 2. (section 7)
UPDATE claim SET labels = X'690001080000000500000078da030000000001';
