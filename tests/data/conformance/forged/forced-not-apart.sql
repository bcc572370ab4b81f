-- base: hand
-- refused: The clique is not apart from one of the two. (section 4)
UPDATE steps SET forced = '[["ML", 1, 2, [4]]]' WHERE node = 2;
