-- base: hand
-- refused: OPTIMAL needs a lower bound. (section 1)
UPDATE claim SET lower_bound = NULL;
