-- base: limits-sizes-and-range
-- refused: M = 4, as sizes say: 1/4 is proved. (section 13)
UPDATE nodes SET closing_bound = 0.251;
