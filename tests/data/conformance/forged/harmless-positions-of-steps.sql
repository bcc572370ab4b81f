-- base: forced-one-by-one
-- accepted: Positions of steps go up, from anywhere. (section 1)
UPDATE steps SET position = 7 * position + 1000;
