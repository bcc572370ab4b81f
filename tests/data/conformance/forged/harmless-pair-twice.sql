-- base: hand
-- accepted: A pair is forced that is together already. (section 4)
INSERT INTO steps (part, node, position, kind, forced) VALUES (0, 4, 1, 'forced', '[["ML", 4, 2, [0]], ["ML", 2, 4, [1]]]');
