-- base: hand
-- refused: In format 5 the instance ends with `version`. (section 1)
PRAGMA user_version = 5;
