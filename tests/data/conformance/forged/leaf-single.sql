-- base: hand
-- refused: The one partition that is left costs 4. (section 3)
UPDATE nodes SET closing_bound = 4.000001 WHERE node = 4 AND part = 0;
