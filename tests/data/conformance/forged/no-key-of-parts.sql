-- base: hand
-- refused: Parts cannot be found at once. (section 1)
ALTER TABLE parts RENAME TO former;
CREATE TABLE parts ( part INTEGER, points BLOB NOT NULL, weights BLOB NOT NULL, lower_bound REAL NOT NULL, digest TEXT NOT NULL );
INSERT INTO parts SELECT * FROM former;
DROP TABLE former;
