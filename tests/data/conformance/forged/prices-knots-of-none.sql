-- base: prices-knot
-- refused: A knot of no super-point. (section 12)
UPDATE nodes SET search = X'6901010c0000000400000078da63606160020000120007' WHERE closing = 'prices';
