-- base: hand
-- refused: A cluster weighs 2, where 2.1 is the least. (section 13)
UPDATE instance SET conditions = '{"limits": {"weight_min": 2.1}}';
