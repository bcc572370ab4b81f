-- base: prices-knot
-- refused: The list ends within a knot. (section 12)
UPDATE nodes SET search = X'6901010b0000000300000078da636360020000170009' WHERE closing = 'prices';
