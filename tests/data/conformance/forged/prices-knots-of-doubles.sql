-- base: prices-knot
-- refused: Knots are doubles. (section 12)
UPDATE nodes SET search = X'6608010f0000000300000078da6360c0041f1c18ec0104d70170' WHERE closing = 'prices';
