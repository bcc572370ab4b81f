-- base: hand
-- accepted: Incumbents are not read: labels that are none, an objective that is none. (section 1)
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'', -5.0, 'nobody', -1.0);
