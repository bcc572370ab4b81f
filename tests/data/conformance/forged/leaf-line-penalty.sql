-- base: line-penalty-low
-- refused: With a penalty of 1/5 the line proves 3/5. (section 11)
UPDATE nodes SET penalty = 0.2 WHERE node = 0 AND part = 0;
