-- base: hand
-- refused: A point that does not exist. (section 2)
UPDATE steps SET forced = '[["ML", 1, 5, [0]]]' WHERE node = 2;
