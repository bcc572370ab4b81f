-- base: hand
-- refused: A point is true, which is no number. (section 1)
UPDATE steps SET forced = '[["ML", true, 2, [0]]]' WHERE node = 2;
