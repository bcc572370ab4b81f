-- base: hand
-- refused: The number of a node is 2^62. (section 1)
UPDATE nodes SET node = 4611686018427387904 WHERE node = 4;
UPDATE steps SET node = 4611686018427387904 WHERE node = 4;
