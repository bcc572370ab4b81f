-- base: cuts-none
-- refused: The exponent of the multipliers is 2001. (section 2)
UPDATE nodes SET multipliers = X'00000000d107000000000000690001080000000a00000078da030000000001';
