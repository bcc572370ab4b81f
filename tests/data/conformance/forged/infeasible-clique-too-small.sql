-- base: clique
-- refused: Three points that are apart have three colours. (section 4)
UPDATE nodes SET search = X'6901010b0000000300000078da63e2600100001d000f';
