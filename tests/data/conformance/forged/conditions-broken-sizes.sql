-- base: hand
-- refused: Clusters of two and three points, where four and one are asked for. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [4, 1]}}';
