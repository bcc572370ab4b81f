-- base: cover-shared
-- refused: A part without points. (section 10)
UPDATE parts SET points = X'690001080000000000000078da030000000001', weights = X'660801080000000000000078da030000000001' WHERE part = 3;
