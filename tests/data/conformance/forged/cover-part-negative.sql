-- base: cover
-- refused: A part of -1. (section 10)
UPDATE covers SET parts = X'6901010b0000000300000078da636261040000120008';
