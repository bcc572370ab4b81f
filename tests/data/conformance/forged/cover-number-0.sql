-- base: cover
-- refused: A part has the number 0. (section 10)
UPDATE parts SET part = 0 WHERE part = 2;
UPDATE nodes SET part = 0 WHERE part = 2;
UPDATE covers SET parts = X'6901010a0000000200000078da6362000000060003';
