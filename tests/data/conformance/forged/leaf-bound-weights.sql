-- base: bound-weights
-- refused: 31.90908 is proved. (section 5)
UPDATE nodes SET closing_bound = 31.92 WHERE node = 0 AND part = 0;
