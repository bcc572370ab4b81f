-- base: limits-too-many-of-a-group
-- refused: Two of a group are not too many. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b"], "group_max": [["a", 2]]}}';
