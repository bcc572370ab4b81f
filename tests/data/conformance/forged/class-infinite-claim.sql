-- base: odd-cycle
-- refused: The claimed lower bound is infinite, even of what is infeasible. (section 1)
UPDATE claim SET lower_bound = 9e999;
