-- base: cover-without-nodes
-- refused: Half of a point is in no part. (section 10)
UPDATE parts SET weights = X'660801120000000300000078da636040070f3e7cb0b7b707000f42037e' WHERE part = 2;
