-- base: hand
-- accepted: A branching on another point of the same super-point, and so its children. (section 3)
UPDATE nodes SET branch_i = 1 WHERE node = 1;
UPDATE nodes SET i = 1 WHERE parent = 1;
