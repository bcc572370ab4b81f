-- base: hand
-- refused: OPTIMAL needs an objective. (section 1)
UPDATE claim SET objective = NULL;
