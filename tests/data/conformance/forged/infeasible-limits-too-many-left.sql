-- base: limits-too-many-left
-- refused: Three points leave one for the other cluster. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 1}}';
