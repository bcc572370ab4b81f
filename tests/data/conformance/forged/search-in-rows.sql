-- base: odd-cycle
-- refused: A search is an array of two dimensions. (section 1)
UPDATE nodes SET search = X'6901020b000000030000000100000078da6360620100000b0007';
