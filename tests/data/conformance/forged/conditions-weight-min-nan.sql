-- base: hand
-- refused: NaN is no JSON. (section 1)
UPDATE instance SET conditions = '{"limits": {"weight_min": NaN}}';
