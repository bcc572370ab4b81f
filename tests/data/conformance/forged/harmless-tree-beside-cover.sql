-- base: cover
-- accepted: A tree beside a cover whose open root proves nothing. (section 10)
INSERT INTO nodes (part, node, closing, lower_bound, branch_i, branch_j, seconds, digest) VALUES (0, 0, 'branched', 0.0, 0, 1, 0.0, '');
