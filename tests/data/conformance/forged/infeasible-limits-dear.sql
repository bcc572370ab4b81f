-- base: limits-dear
-- refused: Limits that are null are none, and then a bound is just a bound. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": null}}';
