-- base: cover
-- refused: A part has a point that does not exist. (section 10)
UPDATE parts SET points = X'6901010b0000000300000078da63e3e001000031001b' WHERE part = 2;
