-- base: hand
-- refused: A further key. (section 1)
ALTER TABLE claim RENAME TO former;
CREATE TABLE claim ( status TEXT PRIMARY KEY, objective REAL, lower_bound REAL, labels BLOB, details TEXT NOT NULL, digest TEXT NOT NULL );
INSERT INTO claim SELECT * FROM former;
DROP TABLE former;
