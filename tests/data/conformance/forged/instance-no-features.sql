-- base: hand
-- refused: There are no features. (section 3)
UPDATE instance SET points = X'66080208000000050000000000000078da030000000001';
