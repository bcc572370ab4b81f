-- base: cover
-- refused: The parts of a cover are an array of two dimensions. (section 10)
UPDATE covers SET parts = X'6901020a000000010000000200000078da63620100000a0007';
