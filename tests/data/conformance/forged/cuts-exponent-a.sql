-- base: cuts-none
-- refused: The exponent of N is 2001. (section 2)
UPDATE nodes SET multipliers = X'd10700000000000000000000690001080000000a00000078da030000000001';
