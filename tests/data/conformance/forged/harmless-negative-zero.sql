-- base: no-nodes
-- accepted: The lower bound is -0. (section 1)
UPDATE claim SET lower_bound = -0.0;
