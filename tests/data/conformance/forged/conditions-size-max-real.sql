-- base: hand
-- refused: size_max is 5.0, which is no whole number. (section 1)
UPDATE instance SET conditions = '{"limits": {"size_max": 5.0}}';
