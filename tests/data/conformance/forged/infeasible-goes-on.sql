-- base: odd-cycle
-- refused: The search goes on after its end. (section 4)
UPDATE nodes SET search = X'6901010c0000000400000078da63606261000000120007';
