-- base: limits-forced
-- refused: ML with an empty witness, where k = 2. (section 13)
UPDATE steps SET forced = '[["ML", 0, 2, []]]' WHERE node = 0;
