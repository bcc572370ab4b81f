-- base: cover
-- refused: A part has a point of another one, in the place of its own. (section 10)
UPDATE parts SET points = X'6901010b0000000300000078da6360620300000d0009' WHERE part = 1;
