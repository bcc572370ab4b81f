-- base: hand
-- refused: A point of the clique does not exist. (section 2)
UPDATE steps SET forced = '[["ML", 1, 2, [-1]]]' WHERE node = 2;
