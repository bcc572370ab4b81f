-- base: hand
-- refused: A cluster has none of group b. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_min": [["b", 1]]}}';
