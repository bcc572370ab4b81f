-- base: hand
-- refused: A cluster weighs 3, where 2.9 is the most. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_max": 2.9}}';
