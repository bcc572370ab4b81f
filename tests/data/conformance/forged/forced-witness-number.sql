-- base: hand
-- refused: The clique is no list. (section 2)
UPDATE steps SET forced = '[["ML", 1, 2, 0]]' WHERE node = 2;
