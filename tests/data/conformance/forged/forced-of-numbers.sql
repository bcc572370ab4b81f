-- base: hand
-- refused: Each pair is a list. (section 2)
UPDATE steps SET forced = '[7]' WHERE node = 2;
