-- base: forced-together
-- refused: ML needs a clique of k - 1 = 2 points. (section 4)
UPDATE steps SET forced = '[["ML", 2, 3, [0]]]';
