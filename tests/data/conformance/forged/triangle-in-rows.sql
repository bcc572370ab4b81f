-- base: hand
-- refused: N is an array of two dimensions. (section 2)
UPDATE nodes SET multipliers = X'00000000000000000000000069000208000000060000000100000078da030000000001' WHERE node = 2;
