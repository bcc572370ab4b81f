-- base: hand
-- refused: More of a group than there are points. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_max": [["a", 6]]}}';
