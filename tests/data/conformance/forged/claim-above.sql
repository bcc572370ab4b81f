-- base: hand
-- refused: The optimum is 4. (section 3)
UPDATE claim SET lower_bound = 4.000000004;
