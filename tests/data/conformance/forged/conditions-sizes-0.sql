-- base: hand
-- refused: A size is 0. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [0, 5]}}';
