-- base: hand
-- refused: One size, where k = 2. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [5]}}';
