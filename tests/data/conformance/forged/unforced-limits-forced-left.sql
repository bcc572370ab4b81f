-- base: limits-forced-left
-- refused: Four points leave two for the other cluster. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 2}}';
