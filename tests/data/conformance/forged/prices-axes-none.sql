-- base: prices-plane
-- refused: A matrix of no axes. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd69000208000000000000000200000078da030000000001' WHERE closing = 'prices';
