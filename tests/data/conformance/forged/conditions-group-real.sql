-- base: hand
-- refused: A number of 1.0, which is no whole number. (section 1)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b", "b"], "group_max": [["a", 1.0]]}}';
