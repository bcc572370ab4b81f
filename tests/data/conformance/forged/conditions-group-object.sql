-- base: hand
-- refused: Limits of groups are an object. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_max": {"a": 2}}}';
