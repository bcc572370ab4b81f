-- base: cuts-clique
-- refused: The right-hand side is 1 / M = 1/4, and 14 is proved. (section 5)
UPDATE nodes SET closing_bound = 14.01;
