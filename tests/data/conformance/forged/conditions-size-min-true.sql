-- base: hand
-- refused: size_min is true, which is no number. (section 1)
UPDATE instance SET conditions = '{"limits": {"size_min": true}}';
