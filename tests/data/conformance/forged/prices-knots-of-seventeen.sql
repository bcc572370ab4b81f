-- base: prices-knot-of-sixteen
-- refused: A knot of seventeen. (section 12)
UPDATE nodes SET search = X'6901011a0000001200000078da5362606261e3e0e2e1131012119390929153000008d60133' WHERE closing = 'prices';
