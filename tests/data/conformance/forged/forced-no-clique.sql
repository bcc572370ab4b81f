-- base: hand
-- refused: ML needs a clique of k - 1 = 1 point. (section 4)
UPDATE steps SET forced = '[["ML", 1, 2, []]]' WHERE node = 2;
