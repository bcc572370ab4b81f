-- base: hand
-- refused: The parent of a node does not exist. (section 3)
UPDATE nodes SET parent = 77 WHERE node = 3;
