-- base: hand
-- refused: Sizes of six points, where there are five. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [2, 4]}}';
