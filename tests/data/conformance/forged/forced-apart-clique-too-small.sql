-- base: forced-apart
-- refused: CL needs a clique of k = 2 points. (section 4)
UPDATE steps SET forced = '[["CL", 2, 3, [0]]]';
