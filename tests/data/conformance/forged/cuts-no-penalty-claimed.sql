-- base: cuts-no-penalty
-- refused: A cut takes 2 where there is no penalty: 12 is proved. (section 13)
UPDATE nodes SET closing_bound = 12.01;
