-- base: hand
-- refused: A limit of a group has three members. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_max": [["a", 1, 1]]}}';
