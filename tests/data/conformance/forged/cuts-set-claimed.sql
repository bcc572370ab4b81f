-- base: cuts-set
-- refused: The least crossing of one point of four is 3/4, and 14 is proved. (section 13)
UPDATE nodes SET closing_bound = 14.01;
