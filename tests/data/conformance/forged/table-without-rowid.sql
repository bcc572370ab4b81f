-- base: hand
-- refused: A table is of another kind. (section 1)
DROP TABLE events;
CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL, time REAL NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
