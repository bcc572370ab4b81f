-- base: prices-knot
-- accepted: Knots in another order, as differences. (section 12)
UPDATE nodes SET search = X'6401010b0000000300000078da636164040000120007';
