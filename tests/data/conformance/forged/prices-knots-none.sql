-- base: prices-knot
-- refused: Without the knot the two earn together. (section 12)
UPDATE nodes SET search = X'690001080000000000000078da030000000001' WHERE closing = 'prices';
