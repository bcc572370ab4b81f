-- base: cover
-- refused: A part is there twice. (section 10)
UPDATE covers SET parts = X'6901010b0000000300000078da636261020000130009';
