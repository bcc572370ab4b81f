-- base: fixed
-- refused: Multipliers of three super-points, where there are four. (section 2)
UPDATE steps SET multipliers = X'000000000000000000000000690001080000000600000078da030000000001';
