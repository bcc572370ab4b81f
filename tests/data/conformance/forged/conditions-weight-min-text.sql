-- base: hand
-- refused: weight_min is text. (section 1)
UPDATE instance SET conditions = '{"limits": {"weight_min": "1"}}';
