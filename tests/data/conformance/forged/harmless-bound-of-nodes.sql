-- base: hand
-- accepted: What is noted of nodes plays no part, and may be infinite. (section 1)
UPDATE nodes SET lower_bound = 9e999;
