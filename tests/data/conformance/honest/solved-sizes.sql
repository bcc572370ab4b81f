-- Clusters of four points each.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (3, X'6608022b0000000c00000002000000789c63601838d00027102286a6265a4e3a563a86ce32968656765a56d64602160c8e8e0e380000511e0c26', X'660801110000000c000000789c6360a00ef88004ec910000e3b20e35', X'690002080000000000000002000000789c030000000001', X'690002080000000000000002000000789c030000000001', '36b651d3ff895dae0162a574ba9bfabca10c412d99a650041304f87b406f6d13', '{"gap": 0.0001, "time_limit": null, "node_limit": null, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 150, "node_rounds": 60, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 64, "least_members": 8, "largest_size": 4000, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{"limits": {"size_min": 4, "size_max": 4}}');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 0, 0, 'bound', 798.4999183523705, X'f8fffffff8ffffff04000000690301c50000004e000000789cfbf0c466d9fcf78ce766291caab8e4a37e44e19a9f587fef86e853abeef5c5ab1631ad645a15e356b66eb37886f744d61d326c9b8c5cd5554e84b95d39242331a5a926e8a84e49e5ae14b5f6d87ebddc84dc9d6c658c8c0cac5d6c8c4c22b7b8191d5818d9199958dfbb30094efec3c4c4caca9871697f331b0f178b700b235b13dbdeebac8d8cd7d9985519459498b632322533b0b2312688940936329756cc736740058c081613946644483131303143943082c599a0ea816c461087190003b934a7640102210000000300000009000000789c05c1810900200c03b030a714a6ffbf6b12ad0fa656d92a31d70b1f053d006c6902011a00000009000000789cb3132ae19bb0aae18ecefa3a09112353af020b003e5b06476401020c0000000400000001000000789c6366136002000044001c6901010900000001000000789c13000000110011640102220000000500000008000000789c636480002638e2606760616462e462e2646262e6020931b032b1000004f100546902011800000008000000789c93a9799211e791d77142cb85c1ebed5b2f003a7907256401020f0000000700000001000000789c63666362e2606102000074001c6902010a00000001000000789cebc90500018700fa', 798.4999183523705, 0.0, '');
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'690101140000000c000000789c6360626162606060616162620100008e0019', 798.5, 'K', 0.0);
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 798.5, 798.4999183523705, X'690101140000000c000000789c6360626162606060616162620100008e0019', '{}', '');
