-- base: cuts-none
-- refused: N has eleven entries, which are no triangle. (section 2)
UPDATE nodes SET multipliers = X'000000000000000000000000690001080000000b00000078da030000000001';
