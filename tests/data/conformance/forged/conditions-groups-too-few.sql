-- base: hand
-- refused: Four groups for five points. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["a", "a", "b", "b"]}}';
