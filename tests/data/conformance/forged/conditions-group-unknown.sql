-- base: hand
-- refused: A group that has no points. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_min": [["c", 1]]}}';
