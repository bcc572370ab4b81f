-- base: line
-- refused: With a penalty of 26 two clusters are charged less. (section 11)
UPDATE nodes SET penalty = 26.0 WHERE node = 0 AND part = 0;
