-- base: hand
-- refused: A branching on a point and itself. (section 3)
UPDATE nodes SET branch_i = 1 WHERE node = 0;
