-- base: open-children
-- refused: Multipliers of a soft step are not inherited. (section 3)
UPDATE nodes SET multipliers = NULL;
INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) VALUES (0, 0, 0, 'soft', X'69000208000000030000000000000078da030000000001', X'000000000000000000000000690001080000000a00000078da030000000001', 0.0);
