-- base: hand
-- refused: The number of clusters is a REAL, in a column that is declared so. (section 1)
ALTER TABLE instance RENAME TO former;
CREATE TABLE instance ( n_clusters REAL NOT NULL, points BLOB NOT NULL, weights BLOB NOT NULL, must_link BLOB NOT NULL, cannot_link BLOB NOT NULL, digest TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL, version TEXT NOT NULL, conditions TEXT NOT NULL, gram BLOB );
INSERT INTO instance SELECT * FROM former;
DROP TABLE former;
