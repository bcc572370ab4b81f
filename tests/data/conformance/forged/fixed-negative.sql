-- base: fixed
-- refused: A point is -1. (section 2)
UPDATE steps SET decisions = X'6901020b000000030000000100000078da6362640200000d0006';
