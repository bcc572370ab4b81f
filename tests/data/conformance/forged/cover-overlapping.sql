-- base: cover-last
-- refused: A point has more weight in the parts than it has. (section 10)
UPDATE covers SET parts = X'6901010b0000000300000078dae36362010000350015';
