-- base: odd-cycle
-- refused: A point of -1. (section 4)
UPDATE nodes SET search = X'6901010b0000000300000078da636062040000080004';
