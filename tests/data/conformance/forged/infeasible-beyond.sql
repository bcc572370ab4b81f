-- base: odd-cycle
-- refused: A point that does not exist. (section 4)
UPDATE nodes SET search = X'6901010b0000000300000078da6360620300000d0009';
