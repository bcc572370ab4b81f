-- base: prices-plane
-- refused: Along shorter axes the pairs earn more. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6904020e000000020000000200000078da636040000720020001500081' WHERE closing = 'prices';
