-- base: prices-knot
-- refused: A super-point is twice in one knot. (section 12)
UPDATE nodes SET search = X'6901010c0000000400000078da63636062000000200009' WHERE closing = 'prices';
