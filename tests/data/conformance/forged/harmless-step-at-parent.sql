-- base: hand
-- accepted: A forced pair stands at the parent, where it holds as well. (section 4)
UPDATE steps SET node = 1 WHERE node = 4;
