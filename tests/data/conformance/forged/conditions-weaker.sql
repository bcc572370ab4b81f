-- base: limits-size-min
-- refused: With one point in a cluster less is proved. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 1}}';
