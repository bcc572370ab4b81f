-- base: hand
-- refused: The sizes are no list. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": 5}}';
