-- base: hand
-- refused: More than one partition is left. (section 3)
UPDATE nodes SET closing = 'single', closing_bound = 4.0 WHERE node = 2 AND part = 0;
