-- base: cover
-- refused: A part that does not exist. (section 10)
UPDATE covers SET parts = X'6901010b0000000300000078da63626103000017000d';
