-- base: hand
-- refused: Multipliers of another size, at a branching. (section 1)
UPDATE nodes SET multipliers = X'000000000000000000000000690001080000000f00000078da030000000001' WHERE node = 0 AND part = 0;
