-- base: cover-limits
-- refused: Limits and soft pairs raise nothing in parts: 1 is proved. (section 10)
UPDATE claim SET lower_bound = 1.001;
