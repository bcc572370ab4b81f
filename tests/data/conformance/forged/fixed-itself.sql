-- base: fixed
-- refused: A point and itself. (section 2)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da636260000000090003';
