-- base: limits-too-heavy
-- refused: 3 misses 2.999999998 by less than 2^-30 of it. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_max": 2.999999998}}';
