-- base: hand
-- refused: A cluster of three points, where two are the most. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 2}}';
