-- base: gram
-- refused: The matrix is not symmetric. (section 14)
UPDATE instance SET gram = X'66080217000000030000000300000078da636020133c0011120e0c0cf640cce00000139201f8';
