-- base: limits-forced-group
-- refused: Two of group a are not too many. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "b", "a", "b", "c", "c"], "group_max": [["a", 2], ["c", 1]]}}';
