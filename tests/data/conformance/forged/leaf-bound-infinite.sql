-- base: hand
-- refused: A bound states infinity. (section 1)
UPDATE nodes SET closing_bound = 9e999 WHERE node = 2 AND part = 0;
