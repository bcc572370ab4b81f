-- base: cover
-- accepted: 2^-41 of a point is in no part. (section 10)
UPDATE parts SET weights = X'660801180000000300000078da63606060f8c0c0f01f813ebcff606f6f0f00542b0879' WHERE part = 2;
