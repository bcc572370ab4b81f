-- base: hand
-- accepted: Columns that a step does not use may hold anything of their class. (section 1)
UPDATE steps SET decisions = X'', multipliers = X'78', lower_bound = 9e+99;
