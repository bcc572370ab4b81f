-- base: prices-negative
-- refused: A price of -1/4 counts as well: -3/4 is proved. (section 12)
UPDATE nodes SET closing_bound = -0.7 WHERE closing = 'prices';
