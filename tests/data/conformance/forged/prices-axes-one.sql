-- base: prices-plane
-- refused: Along one axis the points of a pair are at one place. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6904020d000000010000000200000078da6360008106060001080081' WHERE closing = 'prices';
