-- base: prices
-- refused: A price is infinite. (section 12)
UPDATE nodes SET prices = X'660801120000000600000078da6360200c3e80813d08d403003b0b075b' WHERE closing = 'prices';
