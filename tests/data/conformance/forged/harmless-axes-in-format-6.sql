-- base: prices-axes
-- accepted: A file of format 6 with axes is read as if it said 9. (section 1)
PRAGMA user_version = 6;
