-- base: gram
-- refused: The matrix is an array of one dimension. (section 2)
UPDATE instance SET gram = X'660801110000000900000078da6360a0044838000930060004f800d9';
