-- base: far
-- refused: A far step puts two points together. (section 3)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da636060010000070005' WHERE kind = 'far';
