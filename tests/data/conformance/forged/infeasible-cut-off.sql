-- base: odd-cycle
-- refused: The search is not at its end. (section 4)
UPDATE nodes SET search = X'6901010a0000000200000078da6360020000040003';
