-- base: prices-plane
-- refused: An entry is -2^63, which has no opposite in 64 bits. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd69080213000000020000000200000078dafbcfc0c0f01f811bfea3f2190098100879' WHERE closing = 'prices';
