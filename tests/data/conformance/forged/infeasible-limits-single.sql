-- base: limits-single
-- refused: The one partition that is left has the sizes that are listed. (section 13)
UPDATE instance SET conditions = '{"limits": {"sizes": [3, 1]}}';
