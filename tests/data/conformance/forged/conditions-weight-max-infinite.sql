-- base: hand
-- refused: The nearest double would be infinite. (section 1)
UPDATE instance SET conditions = '{"limits": {"weight_max": 1e999}}';
