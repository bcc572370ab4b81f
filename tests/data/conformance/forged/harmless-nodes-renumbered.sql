-- base: hand
-- accepted: Nodes have other numbers. (section 3)
UPDATE nodes SET node = 1000 WHERE node = 4;
UPDATE steps SET node = 1000 WHERE node = 4;
