-- base: far-inherited
-- refused: A pair of a point and itself. (section 2)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da636261000000110007' WHERE kind = 'far';
