-- base: limits-size-left
-- refused: L = U = 3: 1/2 is proved. (section 13)
UPDATE nodes SET closing_bound = 0.501;
