-- base: hand
-- refused: size_max is 5e0, which is no whole number. (section 1)
UPDATE instance SET conditions = '{"limits": {"size_max": 5e0}}';
