-- base: prices-knot
-- refused: A super-point is in two knots. (section 12)
UPDATE nodes SET search = X'6901010e0000000600000078da6361606261620100003a0011' WHERE closing = 'prices';
