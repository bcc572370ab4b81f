-- base: forced-together
-- refused: A point is twice in the clique. (section 4)
UPDATE steps SET forced = '[["ML", 2, 3, [0, 0]]]';
