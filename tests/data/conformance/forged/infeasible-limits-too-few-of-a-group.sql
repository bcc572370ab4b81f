-- base: limits-too-few-of-a-group
-- refused: Point 0 reaches one of group a, itself. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b"], "group_min": [["a", 1]]}}';
