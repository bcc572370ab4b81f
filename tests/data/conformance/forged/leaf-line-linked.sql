-- base: line-linked
-- refused: 643.0238 is proved. (section 11)
UPDATE nodes SET closing_bound = 643.03 WHERE node = 0 AND part = 0;
