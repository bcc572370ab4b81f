-- base: hand
-- accepted: Another version of the program. (section 1)
UPDATE instance SET version = '0.0.0-other';
