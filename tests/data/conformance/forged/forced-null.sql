-- base: hand
-- refused: A forced step needs its pairs. (section 1)
UPDATE steps SET forced = NULL WHERE node = 2;
