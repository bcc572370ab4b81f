-- base: cover
-- refused: Points of a part are doubles. (section 10)
UPDATE parts SET points = X'660801100000000300000078da6360c0001f1818ec1d0005860170' WHERE part = 1;
