-- base: hand
-- refused: Each pair has four members. (section 2)
UPDATE steps SET forced = '[["ML", 1, 2]]' WHERE node = 2;
