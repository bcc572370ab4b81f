-- base: prices-knot
-- refused: The list has seven numbers, more than 2 s = 6. (section 12)
UPDATE nodes SET search = X'6901010d0000000700000078da6361606201020000550017' WHERE closing = 'prices';
