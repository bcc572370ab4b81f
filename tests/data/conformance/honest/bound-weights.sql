-- Weights, N, and stars of two and three members.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (2, X'66080220000000060000000200000078da6360a01290e01061f820f2e18388880c830310d83bd8db0329004b24061a', X'660801180000000600000078da6360200c3e307c78f081c3dec1dedede010029990535', X'64000208000000000000000200000078da030000000001', X'64000208000000000000000200000078da030000000001', '', '{"gap": 0.0001}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 0, 0, 'bound', 31.909, X'f9fffffff9ffffff020000006902011f0000001500000078da636000020d062868616088602860674001420c0c4c0c8c0c00282c01916401021e000000030000000800000078da63626060606260616067616262656165e002f29999989900029e003a690201170000000800000078da5bd1b2e3d9b2805d669ccc0cec0c4000003cec04c46401020c000000040000000100000078da636264630100001f000e6902010a0000000100000078da3bc00800018300c2', 0.0, 0.0, '');
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 31.909090909090907, 31.909, X'6901010c0000000600000078da63600002260000080003', '{}', '');
