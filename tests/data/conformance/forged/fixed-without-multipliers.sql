-- base: fixed
-- refused: A fixed step needs multipliers. (section 3)
UPDATE steps SET multipliers = NULL;
