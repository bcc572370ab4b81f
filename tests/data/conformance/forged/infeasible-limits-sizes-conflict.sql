-- base: limits-sizes-conflict
-- refused: The one partition that is left keeps all limits. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [2, 4], "size_min": 2}}';
