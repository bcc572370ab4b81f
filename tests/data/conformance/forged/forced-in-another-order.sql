-- base: forced-one-by-one
-- refused: The second step stands first, where its pair is not forced yet. (section 4)
UPDATE steps SET forced = '[["ML", 2, 3, [1]]]' WHERE position = 3;
