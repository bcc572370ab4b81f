-- base: hand
-- refused: size_min is text. (section 1)
UPDATE instance SET conditions = '{"limits": {"size_min": "1"}}';
