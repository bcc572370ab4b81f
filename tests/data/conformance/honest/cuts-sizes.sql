-- Sets, stars and cliques of a run with size_min.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (2, X'6608021f000000060000000200000078da6360a00e9090619011101061506060e07070607000032005001df0032d', X'660801110000000600000078da6360200c3e80813d1800003acb071b', X'64000208000000000000000200000078da030000000001', X'64000208000000000000000200000078da030000000001', '', '{"gap": 0.0001}', '{"first": 0, "ids": null, "features": null}', '1', '{"limits": {"size_min": 3}}');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 0, 0, 'bound', 45.9999, X'f9fffffff9ffffff030000006902012b0000001500000078da3bc2ccc620c3da28c3d4246cc1282a1053caa0287481010c04191824801008d818441958018aa004b66401020a000000020000000100000078da63660300000e000a690101090000000100000078daf30000004900496401021b000000030000000700000078da636661626260636066666460003298d99899189900022d0032690201160000000700000078da9392996111d4b38981819981819111001a30029c64010218000000040000000400000078da63646060606262606264626061606462020000930014690201100000000400000078da5bb2e6981c13333303000f2d023d', 0.0, 0.0, '');
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 46.0, 45.9999, X'6901010e0000000600000078da636060626262000000180007', '{}', '');
