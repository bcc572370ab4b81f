-- base: hand
-- accepted: Conditions with members that say nothing. (section 13)
UPDATE instance SET conditions = '{"limits": {}, "soft": []}';
