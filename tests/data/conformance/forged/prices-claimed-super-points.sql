-- base: prices-super-points
-- refused: 2 is proved, the optimum. (section 12)
UPDATE nodes SET closing_bound = 2.01 WHERE closing = 'prices';
