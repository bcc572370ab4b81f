-- base: hand
-- accepted: The objective is off by 2^-42 of it. (section 7)
UPDATE claim SET objective = 4.0000000000009;
