-- base: hand
-- refused: size_min is from 1. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 0}}';
