-- base: hand
-- refused: Two columns of the claim are exchanged. (section 1)
ALTER TABLE claim RENAME TO former;
CREATE TABLE claim ( status TEXT NOT NULL, lower_bound REAL, objective REAL, labels BLOB, details TEXT NOT NULL, digest TEXT NOT NULL );
INSERT INTO claim SELECT * FROM former;
DROP TABLE former;
