-- base: hand
-- refused: A third child of a branching. (section 3)
INSERT INTO nodes (part, node, closing, closing_bound, lower_bound, parent, kind, i, j, seconds, digest) VALUES (0, 9, 'single', 4.0, 0.0, 1, 'CL', 4, 0, 0.0, '');
