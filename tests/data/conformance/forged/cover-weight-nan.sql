-- base: cover
-- refused: A weight is no number. (section 10)
UPDATE parts SET weights = X'660801120000000300000078da636040071f7e7cb0afb70700104a03d6' WHERE part = 1;
