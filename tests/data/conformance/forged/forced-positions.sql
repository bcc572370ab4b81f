-- base: forced-one-by-one
-- refused: Steps are taken by position, where the second one comes first. (section 1)
UPDATE steps SET position = position + 10;
UPDATE steps SET position = 0 WHERE position = 17;
