-- base: hand
-- refused: Formats after 9 are refused. (section 1)
PRAGMA user_version = 10;
