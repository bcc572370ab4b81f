-- base: hand
-- refused: Two children put the points together, none sets them apart. (section 3)
UPDATE nodes SET kind = 'ML' WHERE node = 4;
