-- base: prices-plane
-- refused: Three axes, where there are two features. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6904020e000000030000000200000078da636040070e60040002580081' WHERE closing = 'prices';
