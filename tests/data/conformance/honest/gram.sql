-- The example of section 14, with points that are its factor.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions, gram) VALUES (2, X'66080234000000030000000300000078da3bcbc0c0701688f5ac8104082bd6030910e64c0312202c320f488070df022001c233be01091066b6071220ec0000801e0a96', X'660801120000000300000078da636040071f3e7cb0b7b707000fa2038e', X'64000208000000000000000200000078da030000000001', X'64000208000000000000000200000078da030000000001', '', '{"gap": 0.0001}', '{"first": 0, "ids": null, "features": null}', '1', '{}', X'66080211000000030000000300000078da6360a0044838000930060004f800d9');
INSERT INTO nodes (position, part, node, closing, branch_i, branch_j, lower_bound, seconds, digest) VALUES (1, 0, 0, 'branched', 0, 1, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, lower_bound, seconds, digest) VALUES (2, 0, 1, 0, 'ML', 0, 1, 'single', 1.99, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, branch_i, branch_j, lower_bound, seconds, digest) VALUES (3, 0, 2, 0, 'CL', 0, 1, 'branched', 0, 2, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, lower_bound, seconds, digest) VALUES (4, 0, 3, 2, 'ML', 0, 2, 'single', 0.0, 0.0, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, lower_bound, seconds, digest) VALUES (5, 0, 4, 2, 'CL', 0, 2, 'single', 0.0, 0.0, 0.0, '');
INSERT INTO steps (part, node, position, kind, forced) VALUES (0, 4, 0, 'forced', '[["ML", 1, 2, [0]]]');
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 2.0, 1.9999, X'6901010b0000000300000078da636060020000050003', '{}', '');
