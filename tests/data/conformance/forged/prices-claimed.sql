-- base: prices
-- refused: 1.5 is proved, the optimum. (section 12)
UPDATE nodes SET closing_bound = 1.51 WHERE closing = 'prices';
