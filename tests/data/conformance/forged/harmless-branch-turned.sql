-- base: hand
-- accepted: The points of a branching and of its children in another order. (section 3)
UPDATE nodes SET branch_i = 4, branch_j = 0 WHERE node = 1;
UPDATE nodes SET i = 4, j = 0 WHERE node = 3;
