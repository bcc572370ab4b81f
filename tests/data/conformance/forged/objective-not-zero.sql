-- base: single-each-point
-- refused: The cost is 0, and so must be the objective. (section 7)
UPDATE claim SET objective = 1e-300;
