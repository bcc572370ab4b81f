-- base: odd-cycle
-- accepted: With INFEASIBLE labels, objective and lower bound are not looked at. (section 1)
UPDATE claim SET labels = X'690101090000000100000078da13020000130013', objective = -1.0, lower_bound = -5.0;
