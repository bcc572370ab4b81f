-- base: forced-after-contradiction
-- refused: Even where nothing belongs to the state, points are in range. (section 4)
UPDATE steps SET forced = '[["ML", 0, 7, []]]' WHERE node = 3;
