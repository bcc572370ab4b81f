-- base: hand
-- accepted: Times are not read. (section 1)
UPDATE nodes SET seconds = -1e+300;
