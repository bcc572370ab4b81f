-- A run that stopped after two nodes.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (3, X'6608022b0000000c00000002000000789c63601838d00027102286a6265a4e3a563a86ce32968656765a56d64602160c8e8e0e380000511e0c26', X'660801110000000c000000789c6360a00ef88004ec910000e3b20e35', X'6901020c0000000200000002000000789c6360e310020000380021', X'690102120000000500000002000000789c636062e0616261e1e2e1030000e4003d', '957ac5a01e6e643b2786114ffe985cf85c842bc38b55ba1f80966ba6f1e89461', '{"gap": 0.0001, "time_limit": null, "node_limit": 2, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 1, "node_rounds": 1, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 64, "least_members": 8, "largest_size": 4000, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, multipliers, branch_i, branch_j, penalty, lower_bound, seconds, digest) VALUES (1, 0, 0, 'branched', X'fbffffff00000000000000006902016200000037000000789c63b8cec0c0600ac44a0cf50c60c0c7b0ebcb3a20fd00889918d4b630304c60e098c2708fa1ab0528b287418381611703830190ad0cc4020ca2106daa0c4a51fa409a1188591964e51818cc19ac9c19a418d44022e20c9a0c0c710c0095510da6', 8, 11, 130.75273145100113, 1258.4031712502194, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, multipliers, branch_i, branch_j, penalty, lower_bound, seconds, digest) VALUES (2, 0, 1, 0, 'ML', 8, 11, 'branched', X'f8ffffff00000000000000006903014d0000001c000000789c6358ccc0e0cd708ec19d8181e101c3bf1a86060606bb0b0c731818fe3130cc67605060d065380294dbcf30e93b8310503486a19881a19d8181118ca08009cc646404093131000012170dee', 0, 4, 185.92053586345753, 1288.372646159572, 0.0, '');
INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) VALUES (0, 1, 0, 'fixed', X'64010221000000030000000c000000789c45c6b1110020108030443cf7dff8ed4c15f99612822fdcea18bb01028e0039', X'f9ffffff0000000000000000690301590000002d000000789c63d0676060886578c4c0c00e6430b030301804f131404008507446cb290627862b0c520c0c4b1818ae0145a7300801a518c0da189a336f40151ba63230dc39fc85a196a18bc19c81a18e010b60c4260816070033bf0fd2', 1291.9484980503125);
INSERT INTO steps (part, node, position, kind, forced) VALUES (0, 1, 1, 'forced', '[["ML", 4, 5, [8, 10]], ["ML", 7, 10, [8, 5]]]');
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'690101120000000c000000789c63606260606262626001220000660013', 1290.6, 'K', 0.0);
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('FEASIBLE', 1290.6, 1258.4031712502194, X'690101120000000c000000789c63606260606262626001220000660013', '{}', '');
