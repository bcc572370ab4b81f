-- Cannot-links that no partition keeps.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (3, X'6608022b0000000c00000002000000789c63601838d00027102286a6265a4e3a563a86ce32968656765a56d64602160c8e8e0e380000511e0c26', X'660801110000000c000000789c6360a00ef88004ec910000e3b20e35', X'690002080000000000000002000000789c030000000001', X'690102140000000600000002000000789c636062606160636261626361030000b80025', '218bbafdba45067218ccc9d622e817eb0fd837fd81fb879cce1ca9da986380b8', '{"gap": 0.0001, "time_limit": null, "node_limit": null, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 150, "node_rounds": 60, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 64, "least_members": 8, "largest_size": 4000, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, witness, search, lower_bound, seconds, digest) VALUES (1, 0, 0, 'infeasible', '{"kind": "clique", "points": [0, 1, 2, 3]}', X'6401010c00000004000000789c63606262020000100007', 9e999, 0.0, '');
INSERT INTO claim (status, details, digest) VALUES ('INFEASIBLE', '{}', '');
