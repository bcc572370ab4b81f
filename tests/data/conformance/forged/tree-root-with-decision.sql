-- base: hand
-- refused: The root has a decision. (section 3)
UPDATE nodes SET kind = 'CL', i = 0, j = 1 WHERE node = 0;
