-- base: cuts-none
-- refused: N is that of three super-points, where there are four. (section 2)
UPDATE nodes SET multipliers = X'000000000000000000000000690001080000000600000078da030000000001';
