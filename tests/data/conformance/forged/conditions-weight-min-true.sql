-- base: hand
-- refused: weight_min is true, which is no number. (section 1)
UPDATE instance SET conditions = '{"limits": {"weight_min": true}}';
