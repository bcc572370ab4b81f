-- base: hand
-- refused: A step is of an unknown kind. (section 1)
UPDATE steps SET kind = 'known' WHERE node = 2;
