-- base: hand
-- refused: Nothing says that a step is there once. (section 1)
ALTER TABLE steps RENAME TO former;
CREATE TABLE steps ( part INTEGER NOT NULL, node INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, forced TEXT, decisions BLOB, multipliers BLOB, lower_bound REAL );
INSERT INTO steps SELECT * FROM former;
DROP TABLE former;
