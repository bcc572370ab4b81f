-- base: fixed-nothing
-- refused: A fixed step without pairs states no number. (section 3)
UPDATE steps SET lower_bound = NULL;
