-- base: limits-forced-weight
-- refused: 4 misses 3.999999997 by less than 2^-30 of it. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_max": 3.999999997}}';
