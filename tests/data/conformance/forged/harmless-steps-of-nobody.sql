-- base: hand
-- accepted: Steps of nodes that do not exist need not be read. (section 1)
INSERT INTO steps (part, node, position, kind) VALUES (0, 55, 0, 'known');
INSERT INTO steps (part, node, position, kind, lower_bound) VALUES (3, 0, 0, 'fixed', 1000000000.0);
