-- base: cuts-listed-sizes
-- refused: 15.8333 is proved. (section 13)
UPDATE nodes SET closing_bound = 15.84;
