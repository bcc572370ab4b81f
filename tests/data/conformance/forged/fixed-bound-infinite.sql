-- base: fixed-nothing
-- refused: A fixed step without pairs states infinity. (section 3)
UPDATE steps SET lower_bound = 9e999;
