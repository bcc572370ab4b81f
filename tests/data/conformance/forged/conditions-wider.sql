-- base: limits-size-max
-- refused: With five points in a cluster less is proved. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 5}}';
