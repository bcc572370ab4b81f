-- base: hand
-- refused: Groups are a text. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": "aabbb"}}';
