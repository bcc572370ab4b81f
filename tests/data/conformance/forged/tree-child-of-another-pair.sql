-- base: hand
-- refused: A child decides another pair than its parent branches on. (section 3)
UPDATE nodes SET j = 2 WHERE node = 4;
