-- base: prices
-- refused: A closing by prices needs prices. (section 12)
UPDATE nodes SET prices = NULL WHERE closing = 'prices';
