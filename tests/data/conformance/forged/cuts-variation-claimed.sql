-- base: cuts-variation
-- refused: The right-hand side is 0, and 14 is proved. (section 13)
UPDATE nodes SET closing_bound = 14.01;
