-- base: hand
-- refused: A point of the clique is false, which is no number. (section 1)
UPDATE steps SET forced = '[["ML", 1, 2, [false]]]' WHERE node = 2;
