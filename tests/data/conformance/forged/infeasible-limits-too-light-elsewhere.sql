-- base: limits-too-light-elsewhere
-- refused: Clusters of 1, 1 and 4, or more even ones. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_min": 1}}';
