-- base: soft-single
-- refused: The labels pay 1.5 for soft pairs. (section 13)
UPDATE claim SET objective = 1.0;
