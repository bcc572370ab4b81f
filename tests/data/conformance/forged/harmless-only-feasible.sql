-- base: hand
-- accepted: The claim is less than what is proved: FEASIBLE, and no bound. (section 1)
UPDATE claim SET status = 'FEASIBLE', lower_bound = NULL;
