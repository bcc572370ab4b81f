-- base: gram
-- refused: The points are not those of the matrix: less is proved. (section 14)
UPDATE instance SET gram = X'66080211000000030000000300000078da6360a00428390009300600055c00e3';
