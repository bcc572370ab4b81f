-- The certificate of section 8 in format 8.
PRAGMA application_id = 1885557331;
PRAGMA user_version = 8;
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (2, X'66080212000000050000000100000078da6360c00f5434d4181c80000005c40173', X'660801110000000500000078da6360c0073e80803d080000295905ec', X'6401020a000000010000000200000078da63610200000c0007', X'6401020c000000020000000200000078da6360616403000018000c', '', '{"gap": 0.0001}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, branch_i, branch_j, lower_bound, seconds, digest) VALUES (1, 0, 0, 'branched', 0, 1, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, branch_i, branch_j, lower_bound, seconds, digest) VALUES (2, 0, 1, 0, 'ML', 0, 1, 'branched', 0, 4, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (3, 0, 2, 0, 'CL', 0, 1, 'bound', 55.9, X'000000000000000000000000690001080000000600000078da030000000001', 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, witness, lower_bound, seconds, digest) VALUES (4, 0, 3, 1, 'ML', 0, 4, 'infeasible', '{"kind": "contradiction"}', 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, labels, lower_bound, seconds, digest) VALUES (5, 0, 4, 1, 'CL', 0, 4, 'single', 4.0, X'6901010d0000000500000078da6360606262020000110007', 0.0, 0.0, '');
INSERT INTO steps (part, node, position, kind, forced) VALUES (0, 2, 0, 'forced', '[["ML", 1, 2, [0]]]');
INSERT INTO steps (part, node, position, kind, forced) VALUES (0, 4, 0, 'forced', '[["ML", 2, 4, [0]]]');
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 4.0, 4.0, X'6901010d0000000500000078da6360606262020000110007', '{}', '');
