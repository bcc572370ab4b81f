-- A cover.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (3, X'6608024e0000001200000002000000789c636018daa0a1c10108191a0e301c686858a090f060c103050586070c3a7a66361f042c6c6494ac3422622222a3a3c2c3626262a232d33332d3d2d332b2d2d3331c80c0de013f000075b51f11', X'6608011100000012000000789c6360a01ff88001ec310000fac4154f', X'690002080000000000000002000000789c030000000001', X'690002080000000000000002000000789c030000000001', '5ab99d407aafffb16c33c5a76bd938ee3da4412a34e9e44890f93d31373df295', '{"gap": 0.2, "time_limit": null, "node_limit": null, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 60, "node_rounds": 60, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 2, "least_members": 1, "largest_size": 5, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 2, 0, 'bound', 847.9993746317957, X'0200000000000000000000006902012b00000015000000789c6360d07059a3c4b0eb41471b0303c30b06862c060850d361606137b400b258181818811400b7150600', 847.9993746317957, 0.0, '');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (2, 3, 0, 'bound', 772.9996834870074, X'020000000000000000000000690201200000000f000000789c6360e8632a62605814c150c100061c8e160c0cfa9a0ccc200e0043700351', 772.9996834870074, 0.0, '');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (3, 4, 0, 'bound', 506.4998419060796, X'010000000000000000000000690201180000000a000000789c636008393389e11b0308f0863231080069002d23031d', 506.4998419060796, 0.0, '');
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (1, X'6401010b00000003000000789c63e0e30100002b001b', X'6608011200000003000000789c636040071f3e7cb0b7b707000fa2038e', 0.0, '');
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (2, X'6401010e00000006000000789c636263e1e260020000700021', X'6608011100000006000000789c6360200c3e80813d1800003acb071b', 847.9993746317957, '');
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (3, X'6401010d00000005000000789c6361e2e26001000053001d', X'6608011100000005000000789c6360c0073e80803d080000295905ec', 772.9996834870074, '');
INSERT INTO parts (part, points, weights, lower_bound, digest) VALUES (4, X'6401010c00000004000000789ce3e260e2030000560023', X'6608011100000004000000789c6360c00e3e00813d1000001af604bd', 506.4998419060796, '');
INSERT INTO covers (position, parts, digest) VALUES (1, X'6901010c00000004000000789c636261e30000002c0015', '');
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'6901011000000012000000789c6360000126306001030000d80025', 2648.8333333333335, 'G', 0.0);
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 2648.8333333333335, 2127.4989000248825, X'6901011000000012000000789c6360000126306001030000d80025', '{}', '');
