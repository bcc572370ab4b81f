-- base: limits-groups-and-more
-- refused: M = 3.75: 1/10 is proved. (section 13)
UPDATE nodes SET closing_bound = 0.101;
