-- base: hand
-- refused: size_min is negative. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": -1}}';
