-- base: hand
-- refused: A branching on another pair than its children. (section 3)
UPDATE nodes SET branch_j = 3 WHERE node = 0;
