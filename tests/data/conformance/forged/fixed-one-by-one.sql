-- base: fixed-at-once
-- refused: In a step by itself the second pair is linked already. (section 3)
UPDATE steps SET decisions = X'6401020e000000030000000200000078da6360606061640300001a000c';
INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) VALUES (0, 0, 1, 'fixed', X'6401020b000000030000000100000078da636062040000080004', X'000000000000000000000000690001080000000300000078da030000000001', 1.999);
