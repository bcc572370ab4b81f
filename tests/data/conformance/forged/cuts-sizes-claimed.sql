-- base: cuts-sizes
-- refused: 45.99999 is proved. (section 13)
UPDATE nodes SET closing_bound = 46.01;
