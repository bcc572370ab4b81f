-- base: hand
-- accepted: Columns that a closing does not use may hold anything of their class. (section 1)
UPDATE nodes SET prices = X'', search = X'78', labels = X'', branch_i = 99, branch_j = 99, penalty = -9e999, witness = '' WHERE node = 2;
