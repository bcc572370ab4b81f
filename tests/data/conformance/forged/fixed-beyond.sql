-- base: fixed
-- refused: A point that does not exist. (section 2)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da6362e402000015000e';
