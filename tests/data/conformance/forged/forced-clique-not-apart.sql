-- base: forced-apart
-- refused: The points of the clique are not apart from one another. (section 4)
UPDATE steps SET forced = '[["CL", 2, 3, [0, 2]]]';
