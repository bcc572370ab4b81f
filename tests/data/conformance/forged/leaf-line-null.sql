-- base: line
-- refused: A line states no number. (section 1)
UPDATE nodes SET closing_bound = NULL WHERE node = 0 AND part = 0;
