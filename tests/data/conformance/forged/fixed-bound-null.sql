-- base: fixed
-- refused: A fixed step states no number. (section 3)
UPDATE steps SET lower_bound = NULL;
