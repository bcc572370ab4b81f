-- base: hand
-- refused: A closing states no number. (section 1)
UPDATE nodes SET closing_bound = NULL WHERE node = 4 AND part = 0;
