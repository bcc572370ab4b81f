-- base: gram-moved
-- refused: 2 is proved. (section 14)
UPDATE claim SET lower_bound = 2.001;
