-- base: hand
-- refused: A forced step has no pairs: nothing is there. (section 4)
UPDATE steps SET forced = '' WHERE node = 2;
