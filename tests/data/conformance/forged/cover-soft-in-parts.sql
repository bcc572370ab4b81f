-- base: cover-limits
-- refused: A part knows of no soft pairs, so that nothing is paid for one. (section 13)
UPDATE nodes SET closing = 'open', closing_bound = 0.0, multipliers = X'000000000000000000000000690001080000000300000078da030000000001' WHERE part = 1;
INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) VALUES (1, 0, 0, 'soft', X'6901020b000000030000000100000078da636060020000050003', X'000000000000000000000000690001080000000600000078da030000000001', 50.0);
