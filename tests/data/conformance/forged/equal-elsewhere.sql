-- base: equal
-- refused: The points are not at one place. (section 4)
UPDATE steps SET decisions = X'6401020e000000030000000200000078da6360606062600200000e0005';
