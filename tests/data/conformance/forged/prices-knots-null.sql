-- base: prices-knot
-- refused: Without the knot the two earn together. (section 12)
UPDATE nodes SET search = NULL WHERE closing = 'prices';
