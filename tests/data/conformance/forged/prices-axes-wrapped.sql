-- base: prices-plane
-- refused: An entry is 2^62, whose square is 0 in 64 bits. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6908020e000000020000000200000078da636040010de81c000aa00101' WHERE closing = 'prices';
