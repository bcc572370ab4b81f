-- base: no-bound
-- refused: FEASIBLE needs an objective. (section 1)
UPDATE claim SET objective = NULL;
