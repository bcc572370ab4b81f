-- base: prices-knot
-- refused: Knots are an array of two dimensions. (section 12)
UPDATE nodes SET search = X'6901020b000000030000000100000078da636160020000110007' WHERE closing = 'prices';
