-- base: cover-shared
-- refused: Thirds of a point that are rounded up. (section 10)
UPDATE parts SET weights = X'660801100000000200000078da0b670885c3ab1feced011cfb0444' WHERE part = 3;
