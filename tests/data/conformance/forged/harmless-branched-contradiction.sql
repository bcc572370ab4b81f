-- base: hand
-- accepted: A branching of a state that contradicts itself. (section 4)
UPDATE nodes SET closing = 'branched', branch_i = 2, branch_j = 3 WHERE node = 3;
INSERT INTO nodes (part, node, closing, lower_bound, parent, kind, i, j, seconds, digest) VALUES (0, 5, 'infeasible', 0.0, 3, 'ML', 2, 3, 0.0, '');
INSERT INTO nodes (part, node, closing, lower_bound, parent, kind, i, j, seconds, digest) VALUES (0, 6, 'infeasible', 0.0, 3, 'CL', 2, 3, 0.0, '');
