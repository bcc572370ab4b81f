-- base: prices-knot
-- refused: A super-point of -1. (section 12)
UPDATE nodes SET search = X'6901010b0000000300000078da636160040000100006' WHERE closing = 'prices';
