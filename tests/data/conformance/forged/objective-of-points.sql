-- base: gram-negative
-- refused: The cost is that of the matrix, not that of the points. (section 14)
UPDATE claim SET objective = 0.0;
