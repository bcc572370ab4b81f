-- base: hand
-- refused: weight_max is negative. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_max": -1}}';
