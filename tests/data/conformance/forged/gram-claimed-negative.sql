-- base: gram-negative
-- refused: -1.054 is proved. (section 14)
UPDATE claim SET lower_bound = -1.05;
