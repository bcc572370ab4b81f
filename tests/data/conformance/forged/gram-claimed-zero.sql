-- base: gram-zero
-- refused: 0 is proved. (section 14)
UPDATE claim SET lower_bound = 0.001;
