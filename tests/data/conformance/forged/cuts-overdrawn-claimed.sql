-- base: cuts-overdrawn
-- refused: A cut takes 9 of a penalty of 8: 13 is proved. (section 13)
UPDATE nodes SET closing_bound = 13.01;
