-- base: cover
-- refused: 2^-39 of a point is in no part. (section 10)
UPDATE parts SET weights = X'660801180000000300000078da6360606038c0c0f01f813ebcff606f6f0f00506b0849' WHERE part = 1;
