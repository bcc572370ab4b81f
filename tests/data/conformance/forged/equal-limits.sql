-- base: limits-all-null
-- refused: Under a limit equal points are not joined. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 1}}';
