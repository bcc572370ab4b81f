-- base: line
-- refused: A penalty is finite. (section 1)
UPDATE nodes SET penalty = 9e999 WHERE node = 0 AND part = 0;
