-- base: cover
-- refused: Limits of the whole force nothing in a part. (section 13)
UPDATE instance SET conditions = '{"limits": {"size_max": 3}}';
UPDATE claim SET objective = 4.0;
INSERT INTO steps (part, node, position, kind, forced) VALUES (1, 0, 0, 'forced', '[["CL", 0, 1, []]]');
