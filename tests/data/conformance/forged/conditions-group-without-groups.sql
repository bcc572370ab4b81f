-- base: hand
-- refused: A limit of groups without groups. (section 13)
UPDATE instance SET conditions = '{"limits": {"group_max": [["a", 1]]}}';
