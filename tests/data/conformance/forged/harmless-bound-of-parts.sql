-- base: cover
-- accepted: What is noted of parts plays no part. (section 1)
UPDATE parts SET lower_bound = 1e+300;
