-- base: cuts-weight-apart
-- refused: The right-hand side is 1, of which M / E = 1 is taken: 14 is proved. (section 13)
UPDATE nodes SET closing_bound = 14.01;
