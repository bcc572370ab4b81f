-- base: cover
-- refused: Points are not increasing. (section 10)
UPDATE parts SET points = X'6901010b0000000300000078da6360610200000d0007' WHERE part = 1;
