-- base: limits-size-min
-- refused: L = 2: 1/4 is proved. (section 13)
UPDATE nodes SET closing_bound = 0.251;
