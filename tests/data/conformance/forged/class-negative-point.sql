-- base: hand
-- refused: A point of a decision is negative. (section 1)
UPDATE nodes SET i = -1 WHERE node = 4;
