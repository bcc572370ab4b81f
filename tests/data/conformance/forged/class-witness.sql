-- base: hand
-- refused: A witness is a blob. (section 1)
UPDATE nodes SET witness = X'7b7d' WHERE node = 3;
