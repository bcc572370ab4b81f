-- base: hand
-- accepted: What points are called is not read, nor is it JSON. (section 1)
UPDATE instance SET names = 'nobody';
