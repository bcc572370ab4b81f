-- base: cover
-- refused: A point has more weight in a part than it has, by the last digit. (section 10)
UPDATE parts SET weights = X'660801140000000300000078da6360606440051f3e7cb0b7b707000fb8038f' WHERE part = 1;
