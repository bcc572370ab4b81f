-- base: prices
-- refused: There are five prices for six super-points. (section 12)
UPDATE nodes SET prices = X'660801110000000500000078da6360c0073e80803d080000295905ec' WHERE closing = 'prices';
