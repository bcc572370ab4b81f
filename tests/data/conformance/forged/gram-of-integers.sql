-- base: gram
-- refused: The matrix is of integers. (section 2)
UPDATE instance SET gram = X'6901020f000000030000000300000078da636160606001621e00004d0015';
