-- base: line
-- refused: A line needs a penalty. (section 1)
UPDATE nodes SET penalty = NULL WHERE node = 0 AND part = 0;
