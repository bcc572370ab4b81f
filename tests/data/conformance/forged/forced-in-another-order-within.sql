-- base: forced-apart
-- refused: A pair stands before the one that it follows from. (section 4)
UPDATE steps SET forced = '[["ML", 1, 2, [3]], ["CL", 2, 3, [0, 1]], ["ML", 0, 3, [2]]]';
