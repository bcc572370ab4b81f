-- base: hand
-- refused: An unknown limit. (section 1)
UPDATE instance SET conditions = '{"limits": {"size": 1}}';
