-- base: hand
-- accepted: SQLite writes its pages anew. (section 1)
PRAGMA page_size = 1024;
VACUUM;
