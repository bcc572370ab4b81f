-- base: cuts-none
-- refused: A table is announced that is not there. (section 2)
UPDATE nodes SET multipliers = X'000000000000000001000000690001080000000a00000078da030000000001';
