-- base: prices-plane
-- refused: An axis is an array of one dimension. (section 12)
UPDATE nodes SET prices = X'660801110000000400000078da6360c00e3e00813d1000001af604bd6904010d0000000200000078da6360008106060001080081' WHERE closing = 'prices';
