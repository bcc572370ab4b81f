-- base: hand
-- refused: The position of a node is negative. (section 1)
UPDATE nodes SET position = -1 WHERE node = 4;
