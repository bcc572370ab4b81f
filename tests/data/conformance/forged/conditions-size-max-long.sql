-- base: hand
-- refused: size_max is 10^30. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 1000000000000000000000000000000}}';
