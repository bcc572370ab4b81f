-- base: hand
-- refused: The sizes are right, and size_min is broken. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [2, 3], "size_min": 3}}';
