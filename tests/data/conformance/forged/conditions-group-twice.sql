-- base: hand
-- refused: A group is there twice. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_min": [["a", 1], ["a", 1]]}}';
