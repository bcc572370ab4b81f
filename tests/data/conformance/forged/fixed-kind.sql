-- base: fixed
-- refused: A pair of kind 2. (section 2)
UPDATE steps SET decisions = X'6901020b000000030000000100000078da636160020000110007';
