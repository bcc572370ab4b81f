-- base: hand
-- refused: Multipliers of a state that contradicts itself, at a closing that needs none. (section 4)
UPDATE nodes SET multipliers = X'000000000000000000000000690001080000000300000078da030000000001' WHERE node = 3 AND part = 0;
