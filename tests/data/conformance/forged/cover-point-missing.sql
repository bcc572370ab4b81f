-- base: cover-without-nodes
-- refused: A point is in no part. (section 10)
UPDATE parts SET points = X'6901010a0000000200000078da63e300000016000f', weights = X'6608010f0000000200000078da636040800f1feced01075d025f' WHERE part = 2;
