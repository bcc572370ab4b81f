-- base: cuts-set-sizes
-- refused: The least crossing of two points of four is 1, and 14 is proved. (section 13)
UPDATE nodes SET closing_bound = 14.01;
