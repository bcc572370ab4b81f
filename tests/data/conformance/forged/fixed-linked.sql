-- base: fixed
-- refused: The two points are in one super-point. (section 3)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da6362620200000f0007';
