-- base: gram
-- refused: The matrix has nine columns. (section 14)
UPDATE instance SET gram = X'66080211000000010000000900000078da6360a0044838000930060004f800d9';
