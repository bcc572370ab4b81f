-- base: hand
-- refused: The position of a step is negative. (section 1)
UPDATE steps SET position = -1 WHERE node = 4;
