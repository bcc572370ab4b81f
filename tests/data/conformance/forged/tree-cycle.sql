-- base: hand
-- refused: Two nodes are each other's parents. (section 3)
INSERT INTO nodes (part, node, closing, lower_bound, parent, kind, i, j, branch_i, branch_j, seconds, digest) VALUES (0, 8, 'branched', 0.0, 9, 'ML', 0, 1, 0, 1, 0.0, '');
INSERT INTO nodes (part, node, closing, lower_bound, parent, kind, i, j, branch_i, branch_j, seconds, digest) VALUES (0, 9, 'branched', 0.0, 8, 'ML', 0, 1, 0, 1, 0.0, '');
