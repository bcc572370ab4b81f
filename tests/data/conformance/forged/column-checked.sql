-- base: hand
-- refused: A column is checked by an expression. (section 1)
ALTER TABLE events RENAME TO former;
CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) < 9), time REAL NOT NULL, data TEXT NOT NULL);
INSERT INTO events SELECT * FROM former;
DROP TABLE former;
