-- base: prices-knot
-- accepted: A file of format 7 with knots is read as if it said 9. (section 1)
PRAGMA user_version = 7;
