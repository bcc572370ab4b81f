-- base: cover
-- refused: Fewer weights than points. (section 10)
UPDATE parts SET weights = X'6608010f0000000200000078da636040800f1feced01075d025f' WHERE part = 1;
