-- base: clique
-- refused: Point 0 is apart from nobody. (section 4)
UPDATE nodes SET search = X'6901010c0000000400000078da6363e260000000320011';
