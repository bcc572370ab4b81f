-- base: hand
-- refused: A branching without points. (section 3)
UPDATE nodes SET branch_i = NULL, branch_j = NULL WHERE node = 0;
