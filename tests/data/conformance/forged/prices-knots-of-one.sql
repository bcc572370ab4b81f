-- base: prices-knot
-- refused: A knot of one super-point. (section 12)
UPDATE nodes SET search = X'6901010d0000000500000078da636260616201000023000d' WHERE closing = 'prices';
