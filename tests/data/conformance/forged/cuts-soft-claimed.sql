-- base: cuts-soft
-- refused: 48.9987 is proved. (section 13)
UPDATE nodes SET closing_bound = 49.0;
