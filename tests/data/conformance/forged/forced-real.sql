-- base: hand
-- refused: A point is 2.0, which is no whole number. (section 1)
UPDATE steps SET forced = '[["ML", 1, 2.0, [0]]]' WHERE node = 2;
