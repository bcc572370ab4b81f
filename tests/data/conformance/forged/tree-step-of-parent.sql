-- base: hand
-- refused: A step stands at the parent, where its decision is not made yet. (section 4)
UPDATE steps SET node = 0 WHERE node = 2;
