-- base: no-bound
-- refused: FEASIBLE needs labels. (section 1)
UPDATE claim SET labels = NULL;
