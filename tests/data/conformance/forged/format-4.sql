-- base: hand
-- refused: Formats before 5 are refused. (section 1)
PRAGMA user_version = 4;
