-- base: open-node
-- refused: 2 is proved of the open root. (section 5)
UPDATE nodes SET closing_bound = 2.001 WHERE node = 0 AND part = 0;
