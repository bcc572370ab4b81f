-- base: hand
-- refused: The number of a node is negative. (section 1)
UPDATE nodes SET node = -4 WHERE node = 4;
UPDATE steps SET node = -4 WHERE node = 4;
