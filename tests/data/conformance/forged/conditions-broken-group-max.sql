-- base: hand
-- refused: A cluster has three of group b. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_max": [["b", 2]]}}';
