-- base: cover
-- refused: A point has more weight in a part than it has. (section 10)
UPDATE parts SET weights = X'660801120000000300000078da636040071f7e7cb0b7b707000fca0396' WHERE part = 1;
