-- base: hand
-- refused: There are fewer weights than points. (section 1)
UPDATE instance SET weights = X'6608010f0000000200000078da636040800f1feced01075d025f';
