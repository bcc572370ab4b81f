-- base: hand
-- refused: A cluster of two points, where three are the least. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 3}}';
