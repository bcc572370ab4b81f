-- base: prices
-- refused: More is stated than all prices together, so F would be negative. (section 12)
UPDATE nodes SET closing_bound = 6.5 WHERE closing = 'prices';
