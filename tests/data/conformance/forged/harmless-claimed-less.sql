-- base: hand
-- accepted: Less is claimed than is proved. (section 3)
UPDATE claim SET lower_bound = -1e+300;
