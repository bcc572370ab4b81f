-- base: hand
-- refused: Multipliers prove 56. (section 5)
UPDATE nodes SET closing_bound = 1e+300 WHERE node = 2 AND part = 0;
