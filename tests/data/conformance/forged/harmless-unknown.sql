-- base: hand
-- accepted: The claim is UNKNOWN, and its labels are not looked at. (section 1)
UPDATE claim SET status = 'UNKNOWN', labels = X'78', objective = -7.0;
