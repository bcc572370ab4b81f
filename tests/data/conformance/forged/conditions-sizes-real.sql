-- base: hand
-- refused: A size is 2.0, which is no whole number. (section 1)
UPDATE instance SET conditions = '{"limits": {"sizes": [2.0, 3]}}';
