-- base: cuts-none
-- refused: The exponent of the multipliers is -2001, though there are none. (section 2)
UPDATE nodes SET multipliers = X'000000002ff8ffff00000000690001080000000a00000078da030000000001';
