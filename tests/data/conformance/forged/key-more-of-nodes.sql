-- base: hand
-- refused: A further key, from which rows can be read that say otherwise than the table. (section 1)
ALTER TABLE nodes RENAME TO former;
CREATE TABLE nodes ( position INTEGER PRIMARY KEY, part INTEGER NOT NULL, node INTEGER NOT NULL, parent INTEGER, kind TEXT, i INTEGER, j INTEGER, closing TEXT NOT NULL, closing_bound REAL, multipliers BLOB, prices BLOB, witness TEXT, search BLOB, labels BLOB, branch_i INTEGER, branch_j INTEGER, penalty REAL, lower_bound REAL NOT NULL, seconds REAL NOT NULL, digest TEXT NOT NULL, UNIQUE (part, node), UNIQUE (part, node, parent, kind, i, j) );
INSERT INTO nodes SELECT * FROM former;
DROP TABLE former;
