-- base: prices
-- refused: Prices are an array of two dimensions. (section 12)
UPDATE nodes SET prices = X'66080211000000060000000100000078da6360200c3e80813d1800003acb071b' WHERE closing = 'prices';
