-- base: fixed
-- refused: A fixed step needs its pairs, if only an array of none. (section 3)
UPDATE steps SET decisions = NULL;
