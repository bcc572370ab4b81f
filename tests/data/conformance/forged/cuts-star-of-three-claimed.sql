-- base: cuts-star-of-three
-- refused: 1 / E of a multiplier of 4 is lost: 13 is proved. (section 5)
UPDATE nodes SET closing_bound = 13.01;
