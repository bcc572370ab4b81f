-- base: hand
-- refused: size_max is more than n. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 6}}';
