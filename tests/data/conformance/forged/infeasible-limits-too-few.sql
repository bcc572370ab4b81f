-- base: limits-too-few
-- refused: Point 0 reaches two points, and clusters need no more. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_min": 2, "size_max": 5}}';
