-- base: limits-weight-max
-- refused: L = 2.5: 1/10 is proved. (section 13)
UPDATE nodes SET closing_bound = 0.101;
