-- base: hand
-- accepted: Parts that are in no cover are not looked at, nor are their nodes. (section 10)
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (5, X'', X'', 0.0, '');
INSERT INTO nodes (part, node, closing, lower_bound, seconds, digest) VALUES (5, 3, 'infeasible', 0.0, 0.0, '');
