-- base: hand
-- refused: Fewer of a group than none. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_min": [["a", -1]]}}';
