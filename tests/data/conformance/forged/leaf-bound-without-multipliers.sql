-- base: hand
-- refused: A bound needs multipliers. (section 1)
UPDATE nodes SET multipliers = NULL WHERE node = 2 AND part = 0;
