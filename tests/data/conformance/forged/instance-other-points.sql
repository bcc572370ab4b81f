-- base: hand
-- refused: Other points, for which the labels cost more. (section 7)
UPDATE instance SET points = X'66080213000000050000000100000078da6360c00b385434d4181c800000060c017b';
