-- base: cover
-- refused: Part 0 is the whole, not a part of it. (section 10)
UPDATE covers SET parts = X'6901010b0000000300000078da636261000000110007';
