-- base: hand
-- refused: The root is node 9. (section 3)
UPDATE nodes SET node = 9 WHERE node = 0;
UPDATE nodes SET parent = 9 WHERE parent = 0;
