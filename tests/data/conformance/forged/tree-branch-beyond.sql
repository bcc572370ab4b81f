-- base: hand
-- refused: A branching on a point that does not exist. (section 3)
UPDATE nodes SET branch_j = 5 WHERE node = 0;
