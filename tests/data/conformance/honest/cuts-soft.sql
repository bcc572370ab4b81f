-- Cuts about pairs of each kind beside stars, of a run with soft pairs.
PRAGMA application_id = 1885557331;
PRAGMA user_version = 9;
CREATE TABLE instance (
    n_clusters INTEGER NOT NULL, points BLOB NOT NULL, weights BLOB NOT NULL, must_link BLOB NOT NULL,
    cannot_link BLOB NOT NULL, digest TEXT NOT NULL, options TEXT NOT NULL, names TEXT NOT NULL,
    version TEXT NOT NULL, conditions TEXT NOT NULL, gram BLOB
);
CREATE TABLE nodes (
    position INTEGER PRIMARY KEY, part INTEGER NOT NULL, node INTEGER NOT NULL, parent INTEGER, kind TEXT, i INTEGER,
    j INTEGER, closing TEXT NOT NULL, closing_bound REAL, multipliers BLOB, prices BLOB, witness TEXT, search BLOB,
    labels BLOB, branch_i INTEGER, branch_j INTEGER, penalty REAL, lower_bound REAL NOT NULL, seconds REAL NOT NULL,
    digest TEXT NOT NULL, UNIQUE (part, node)
);
CREATE TABLE steps (
    part INTEGER NOT NULL, node INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, forced TEXT,
    decisions BLOB, multipliers BLOB, lower_bound REAL, PRIMARY KEY (part, node, position)
);
CREATE TABLE parts (
    part INTEGER PRIMARY KEY, points BLOB NOT NULL, weights BLOB NOT NULL, lower_bound REAL NOT NULL,
    digest TEXT NOT NULL
);
CREATE TABLE covers (position INTEGER PRIMARY KEY, parts BLOB NOT NULL, digest TEXT NOT NULL);
CREATE TABLE incumbents (
    position INTEGER PRIMARY KEY, labels BLOB NOT NULL, objective REAL NOT NULL, source TEXT NOT NULL,
    seconds REAL NOT NULL
);
CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT NOT NULL, time REAL NOT NULL, data TEXT NOT NULL);
CREATE TABLE claim (
    status TEXT NOT NULL, objective REAL, lower_bound REAL, labels BLOB, details TEXT NOT NULL, digest TEXT NOT NULL
);
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (2, X'6608021d000000060000000200000078da6360a00e9001620e1901060e11190907070607072801001b000321', X'660801110000000600000078da6360200c3e80813d1800003acb071b', X'64000208000000000000000200000078da030000000001', X'64000208000000000000000200000078da030000000001', '', '{"gap": 0.0001}', '{"first": 0, "ids": null, "features": null}', '1', '{"soft": [[0, 1, 5, 0], [2, 3, 4, 0], [4, 5, 0, 6], [0, 2, 0, 3]]}');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 0, 0, 'open', 48.998, X'f9fffffff9ffffff03000000690201170000001500000078da6360f0014210b8c2800418a13433420800320601716401020a000000020000000100000078daab6d0300018201046902010a0000000100000078da636006000005000464010234000000030000001700000078da5588b10d00200cc3d23469172e62e7ff972823832dd9672f10f818392943cca1670467264a80f522d8148d4a59173217010e690201350000001700000078da636078e0e2e2c3c2c4b4862d605b8d564d4c0edb34961e361616462e0606065620e6e4646060626061646060610000e4bf06c664010210000000040000000200000078dae3166066626162620000010600296902010c0000000200000078da63106364000000480018', 0.0, 0.0, '');
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('FEASIBLE', 50.0, 48.998, X'6901010e0000000600000078da636060626062020000140007', '{}', '');
