-- base: prices
-- refused: A closing by prices states minus infinity. (section 12)
UPDATE nodes SET closing_bound = -9e999 WHERE closing = 'prices';
