-- base: limits-forced
-- refused: Four points are not too many. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 4}}';
