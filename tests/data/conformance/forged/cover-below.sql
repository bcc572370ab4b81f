-- base: cover
-- refused: A part has point -1. (section 10)
UPDATE parts SET points = X'6901010b0000000300000078da6364620100000e0008' WHERE part = 1;
