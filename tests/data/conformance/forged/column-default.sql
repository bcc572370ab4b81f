-- base: hand
-- refused: A column has a default. (section 1)
ALTER TABLE events RENAME TO former;
CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT DEFAULT 'x' NOT NULL, time REAL NOT NULL, data TEXT NOT NULL);
INSERT INTO events SELECT * FROM former;
DROP TABLE former;
