-- base: hand
-- refused: A leaf has a child. (section 3)
INSERT INTO nodes (part, node, closing, closing_bound, lower_bound, parent, kind, i, j, seconds, digest) VALUES (0, 9, 'single', 4.0, 0.0, 4, 'ML', 0, 1, 0.0, '');
