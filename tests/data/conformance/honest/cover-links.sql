-- A must-link within a part counts there, one between parts nowhere; points of parts are numbered anew.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (2, X'66080215000000060000000100000078da636020027c605051d360b07700020011c702a2', X'660801110000000600000078da6360200c3e80813d1800003acb071b', X'6401020c000000020000000200000078da636361670100003a0016', X'6401020a000000010000000200000078da63610100000e0009', '', '{"gap": 0.0001}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, closing_bound, penalty, lower_bound, seconds, digest) VALUES (1, 1, 0, 'line', 0.4999, 0.5, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, closing, branch_i, branch_j, lower_bound, seconds, digest) VALUES (2, 2, 0, 'branched', 0, 1, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, lower_bound, seconds, digest) VALUES (3, 2, 1, 0, 'CL', 1, 0, 'single', 2.0, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, lower_bound, seconds, digest) VALUES (4, 2, 2, 0, 'ML', 0, 1, 'infeasible', 0.0, 0.0, '');
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (1, X'6401010b0000000300000078da636062020000090005', X'660801120000000300000078da636040071f3e7cb0b7b707000fa2038e', 0.0, '');
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (2, X'6401010b0000000300000078da6363620200001b000b', X'660801120000000300000078da636040071f3e7cb0b7b707000fa2038e', 0.0, '');
INSERT INTO covers (position, parts, digest) VALUES (1, X'6901010a0000000200000078da63620100000a0007', '');
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('FEASIBLE', 79.0, 2.4999, X'6901010e0000000600000078da6360626062620200001c0009', '{}', '');
