-- base: hand
-- refused: A pair of a point and itself. (section 2)
UPDATE steps SET forced = '[["ML", 1, 1, [0]]]' WHERE node = 2;
