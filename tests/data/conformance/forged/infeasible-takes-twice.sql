-- base: odd-cycle
-- refused: A point is taken that has a colour. (section 4)
UPDATE nodes SET search = X'6901010c0000000400000078da636060620100000c0007';
