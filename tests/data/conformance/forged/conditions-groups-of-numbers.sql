-- base: hand
-- refused: Groups are numbers. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": [0, 0, 1, 1, 1]}}';
