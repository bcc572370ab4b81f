-- base: hand
-- refused: A bound states no number. (section 1)
UPDATE nodes SET closing_bound = NULL WHERE node = 2 AND part = 0;
