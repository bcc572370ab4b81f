-- base: prices-none-positive
-- refused: The prices are -1 together. (section 12)
UPDATE nodes SET closing_bound = -0.99 WHERE closing = 'prices';
