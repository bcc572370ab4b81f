-- base: prices
-- refused: A price is no number. (section 12)
UPDATE nodes SET prices = X'660801130000000600000078da6360200c3e80c00f7b10a807003b430763' WHERE closing = 'prices';
