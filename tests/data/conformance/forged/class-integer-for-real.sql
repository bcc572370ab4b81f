-- base: hand
-- refused: The objective is an INTEGER, in a column that is declared so. (section 1)
ALTER TABLE claim RENAME TO former;
CREATE TABLE claim ( status TEXT NOT NULL, objective INTEGER, lower_bound REAL, labels BLOB, details TEXT NOT NULL, digest TEXT NOT NULL );
INSERT INTO claim SELECT * FROM former;
DROP TABLE former;
