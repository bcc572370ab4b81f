-- base: open-node
-- refused: An open node needs multipliers. (section 1)
UPDATE nodes SET multipliers = NULL WHERE node = 0 AND part = 0;
