-- base: limits-size-max
-- refused: Limits that are null are none, so that nothing is proved of the range. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": null}}';
