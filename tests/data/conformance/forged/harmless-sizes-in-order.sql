-- base: limits-sizes
-- accepted: Sizes in another order, and a real that is whole. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [2, 4], "weight_min": 0}}';
