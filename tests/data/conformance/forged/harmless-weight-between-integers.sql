-- base: hand
-- accepted: A limit as a whole number beyond 2^53. (section 1)
UPDATE instance SET conditions = '{"limits": {"weight_max": 9007199254740993}}';
