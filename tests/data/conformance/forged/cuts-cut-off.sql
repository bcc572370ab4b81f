-- base: cuts-none
-- refused: Multipliers end early. (section 2)
UPDATE nodes SET multipliers = X'000000000000000000000000690001080000000a00000078da0300000000';
