-- base: hand
-- accepted: A leaf states less than it proves. (section 3)
UPDATE nodes SET closing_bound = -1e+300 WHERE node = 2;
