-- base: hand
-- refused: The nodes are those of a part, not of the whole. (section 3)
UPDATE nodes SET part = 1;
UPDATE steps SET part = 1;
