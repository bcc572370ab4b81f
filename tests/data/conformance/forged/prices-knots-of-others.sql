-- base: prices-knot
-- refused: In a knot of others the two earn together. (section 12)
UPDATE nodes SET search = X'6901010b0000000300000078da636160010000130009' WHERE closing = 'prices';
