-- base: hand
-- refused: The limits are a list. (section 13)
UPDATE instance SET conditions = '{"limits": []}';
