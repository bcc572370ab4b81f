-- base: hand
-- accepted: Rows that need not be read may hold anything. (section 1)
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (-1, 'none', 'low', X'78', 9e999);
