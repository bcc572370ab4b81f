-- base: prices-plane
-- refused: Axes of one feature, where there are two. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6904020c000000010000000100000078da63606068000000840081' WHERE closing = 'prices';
