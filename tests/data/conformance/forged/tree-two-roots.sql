-- base: hand
-- refused: Two nodes have no parent. (section 3)
INSERT INTO nodes (part, node, closing, closing_bound, lower_bound, seconds, digest) VALUES (0, 9, 'single', 4.0, 0.0, 0.0, '');
