-- base: prices-plane
-- refused: Axes of three features, where there are two. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6904020e000000020000000300000078da636040070d600c0004180101' WHERE closing = 'prices';
