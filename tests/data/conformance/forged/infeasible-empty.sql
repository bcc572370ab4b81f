-- base: odd-cycle
-- refused: A search of no points. (section 4)
UPDATE nodes SET search = X'690001080000000000000078da030000000001';
