-- base: line
-- refused: The line proves 1.5. (section 11)
UPDATE nodes SET closing_bound = 1.5001 WHERE node = 0 AND part = 0;
