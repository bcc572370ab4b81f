-- base: hand
-- refused: Pairs are a list. (section 2)
UPDATE steps SET forced = '{"ML": [1, 2, [0]]}' WHERE node = 2;
