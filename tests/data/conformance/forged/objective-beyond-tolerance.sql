-- base: hand
-- refused: The objective is off by 2^-39 of it. (section 7)
UPDATE claim SET objective = 4.000000000007276;
