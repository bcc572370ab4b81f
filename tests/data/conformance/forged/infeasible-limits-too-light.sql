-- base: limits-too-light
-- refused: 1.5 misses 1.500000001 by less than 2^-30 of it. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_min": 1.500000001}}';
