-- base: hand
-- refused: A step stands at the other child, so that here more than one partition is left. (section 4)
UPDATE steps SET node = 3 WHERE node = 4;
