-- base: hand
-- refused: A pair is ML or CL. (section 2)
UPDATE steps SET forced = '[["XL", 1, 2, [0]]]' WHERE node = 2;
