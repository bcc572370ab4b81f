-- base: hand
-- accepted: Far pairs in a state that contradicts itself. (section 4)
INSERT INTO steps (part, node, position, kind, decisions, lower_bound) VALUES (0, 3, 0, 'far', X'6401020b000000030000000100000078da63626403000011000a', 70.0);
