-- Soft pairs.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (3, X'6608022b0000000c00000002000000789c63601838d00027102286a6265a4e3a563a86ce32968656765a56d64602160c8e8e0e380000511e0c26', X'660801110000000c000000789c6360a00ef88004ec910000e3b20e35', X'690002080000000000000002000000789c030000000001', X'690002080000000000000002000000789c030000000001', 'c7050d15e183b0577034b3df346bea2647b8eb943f554126ae12699121248c93', '{"gap": 0.0001, "time_limit": null, "node_limit": null, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 150, "node_rounds": 60, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 64, "least_members": 8, "largest_size": 4000, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{"soft": [[0, 1, 90.0, 0.0], [2, 5, 70.0, 0.0], [3, 4, 0.0, 200.0]]}');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 0, 0, 'bound', 845.3661712268454, X'f8fffffff8ffffff03000000690301b10000004e000000789c6360c8a9dac4c0906675a3aa84619ecf05068623d316d80930307c72ea61f8c0c0d0c290f4ec03c323068606069198490c0e0e0c4029398b3b020c079ea8ddb36008606078c3d0740628ba85a187010458181818191998dd19585993191838d818d881e2952c1a0cbc20d9fbd30d193819185633303227334c72078ad4f1a61866319c6238724f9c411024133a0328fa95c181010d30c2292624360c303130b340651991a5181921920c009a7825e064010251000000030000002d000000789c558c4112803008c4d68552b0633b3e58df6ed15ee4143281eb0640fc46b1dc0b496b191ba9f1254c317d103b6452039ca8843859e99259d095c1bc63518e3e51acd8e1d6cccecefc3ccb07c0fd0264690201650000002d000000789c015a00a5ff004c16ccdec40a60724c2a7e12a806008214e26a94640ec226b2822eca3c3c180e5ac0c6a23e28e066d6ba2a568c53005b060f1f054e780000000c0066000018007587000f002562061347000008531d194b184c177c1b31001d6304192a640102100000000400000002000000789c63e06165e6606461040000b500236902010c00000002000000789c33f9c0a0000003c401456401020e0000000600000001000000789ce3e6e1606262010000b200286902010a00000001000000789cd3db0800010f00e0', 845.3661712268454, 0.0, '');
INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) VALUES (0, 0, 0, 'soft', X'6401020b0000000300000001000000789c636261020000130009', X'fcfffffffcffffff010000006902018a0000004e000000789c636098b68f8981418be1d9b17b0c0c0cd75818189418180a18189e387d60686260606178f6e60ac331068634061ea6590ccfe60115c5d4ec5920c6d0c75464b084611203430e438a1f50f40f502d503d2390001ac804a225206c20a5ae27c80006725cac208a1388d5182cdc809434239f8634030f83800c5831078304489b1e83310300fa13179d640102430000000300000024000000789c4d8c010ac03008c4aeb1ad7683c1d8ffff5a5b069b22097720fa4fcde3e3abcfae485dd9d0214b3b938e2cc08941548ad3694951b0def6de17eb8f49132a8d01186902014900000024000000789c636261336bc89161097161ba9215f3c94f4426a1ab834d2b8f4d444aca896bc11327b555fb1818189818e0808d9181819189918d8991998d81858993918985918111003e470b28', 906.1664088591954);
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'690101120000000c000000789c636060626261606062015200007a0017', 845.3666666666667, 'K', 0.0);
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 845.3666666666667, 845.3661712268454, X'690101120000000c000000789c636060626261606062015200007a0017', '{}', '');
