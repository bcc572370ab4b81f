-- base: hand
-- accepted: The details are no JSON. (section 1)
UPDATE claim SET details = '}{';
