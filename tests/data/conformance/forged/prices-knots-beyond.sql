-- base: prices-knot
-- refused: A super-point that does not exist. (section 12)
UPDATE nodes SET search = X'6901010b0000000300000078da63616003000015000b' WHERE closing = 'prices';
