-- base: hand
-- refused: There are no points. (section 3)
UPDATE instance SET points = X'66080208000000000000000100000078da030000000001', weights = X'660801080000000000000078da030000000001';
