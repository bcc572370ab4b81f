-- base: hand
-- accepted: Events are not read. (section 1)
INSERT INTO events (position, name, time, data) VALUES (1, 'x', 0.0, 'no JSON');
