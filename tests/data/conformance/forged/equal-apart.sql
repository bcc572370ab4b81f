-- base: equal
-- refused: An equal step sets two points apart. (section 4)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da6362640200000d0006';
