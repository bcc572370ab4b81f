-- base: hand
-- refused: A node is its own parent. (section 3)
INSERT INTO nodes (part, node, closing, closing_bound, lower_bound, parent, kind, i, j, seconds, digest) VALUES (0, 9, 'single', 4.0, 0.0, 9, 'ML', 0, 1, 0.0, '');
