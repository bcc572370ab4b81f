-- base: limits-forced
-- refused: Two points in one super-point are not set apart by a limit. (section 13)
UPDATE steps SET forced = '[["CL", 0, 1, []]]' WHERE node = 0;
