-- base: prices-knot
-- refused: A knot of -1 super-points. (section 12)
UPDATE nodes SET search = X'6901010c0000000400000078da63646160020000160008' WHERE closing = 'prices';
