-- base: prices-plane
-- refused: 1 is proved, the optimum. (section 12)
UPDATE nodes SET closing_bound = 1.01 WHERE closing = 'prices';
