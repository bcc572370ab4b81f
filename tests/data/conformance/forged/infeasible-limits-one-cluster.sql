-- base: limits-one-cluster
-- refused: All points are as many as a cluster may have. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 4}}';
