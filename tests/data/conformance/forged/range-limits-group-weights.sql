-- base: limits-group-weights
-- refused: L = 1.5: 1/12 is proved. (section 13)
UPDATE nodes SET closing_bound = 0.084;
