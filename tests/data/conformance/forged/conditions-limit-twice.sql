-- base: hand
-- refused: A limit is there twice. (section 1)
UPDATE instance SET conditions = '{"limits": {"size_min": 1, "size_min": 1}}';
