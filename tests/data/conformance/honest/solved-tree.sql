-- A tree of a few nodes.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions) VALUES (3, X'6608022b0000000c00000002000000789c63601838d00027102286a6265a4e3a563a86ce32968656765a56d64602160c8e8e0e380000511e0c26', X'660801110000000c000000789c6360a00ef88004ec910000e3b20e35', X'690002080000000000000002000000789c030000000001', X'690002080000000000000002000000789c030000000001', '13cb5bfcb59d2d12f88ce72e37e03b13c5a990b312928a6cf82841451c85ac58', '{"gap": 0.0001, "time_limit": null, "node_limit": null, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 1, "node_rounds": 1, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 64, "least_members": 8, "largest_size": 4000, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{}');
INSERT INTO nodes (position, part, node, closing, multipliers, branch_i, branch_j, penalty, lower_bound, seconds, digest) VALUES (1, 0, 0, 'branched', X'fcffffff00000000000000006902017f0000004e000000789c63600083730c0c593a407a0384ebc2c0201714c4c02005645fdb97c460c3c07007c82c63e0fa065634896b1243008314902306d2dbb30028ba8e611b90640369676460606105d2c240ccc2c020cec0a0a12b08166690e56201d19c40a61a83951b03c80e7e0d79066e060129b0d59c0c62a240ca90c198010087041128', 4, 11, 239.6091338132419, 663.2234504026234, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, multipliers, branch_i, branch_j, penalty, lower_bound, seconds, digest) VALUES (2, 0, 1, 0, 'ML', 4, 11, 'branched', X'fbffffff00000000000000006902016f00000042000000789c63605051a8626038c220f4838181e1030314700514311400e9336bba185a80b41e831b83401d0390bde918830fc332058620a0685116583137032303031303032b90ed0a33c12c5c094c9b08733030036955064786492b817c06693f06710679739026067d3d200100459410df', 6, 8, 171.63964066137703, 683.7271176038346, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, multipliers, branch_i, branch_j, penalty, lower_bound, seconds, digest) VALUES (3, 0, 2, 0, 'CL', 4, 11, 'branched', X'fbffffff00000000000000006902018f0000004e000000789c63104b71616060b063e0795004a45f744c6298c7c020c7c0b064851703187c8b98c2a0c7c0f009c84c6358c6709581c182a168921b430b83169f1350806105c3865340c92e861a20c903d2c2c8c0c0c609a455800c5606060d0606df6865886916a21c0c4c0c0c0240a61743418f20038329837ca00383188382392348231f839e3650329921950100bfb0175a', 8, 11, 110.06939125482843, 680.7163574466076, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (4, 0, 5, 2, 'ML', 8, 11, 'bound', 708.5578501443662, X'fdffffff00000000000000006902016700000042000000789c6360d8c6c4c0c020c2c0f00c487ddbe6c3e007a4190ae681441918ae744d612803b3de79fea96060309be516c520c3f06c134304502c84072c05510a011c40cc0e62088b738005785999a00a0459a595807c6e0e11063606765eb0a8a4149000007daa0f27', 708.5578501443662, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (5, 0, 6, 2, 'CL', 8, 11, 'bound', 740.018122555135, X'010000000000000000000000690201520000004e000000789c6360316100030e0d1063060b0788d3c3c06093370922f120480144a900b11ac3092b6706862b0c652e871822183a5ef0807532acea9bcbc0d0c590c780133032621163606482b1b04932000074d30cec', 740.018122555135, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (6, 0, 3, 1, 'ML', 6, 8, 'bound', 708.0695220822392, X'fdffffff00000000000000006902015000000037000000789c6360b8c2000447189600c91f0c10a0a79604a224748c405416c385941d0c0c7bfe7930341899409530304128462016800af18ab2812916b01c1b03bf8a2603030fab30030b9f1044050028260a97', 708.0695220822392, 0.0, '');
INSERT INTO nodes (position, part, node, parent, kind, i, j, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (7, 0, 4, 1, 'CL', 6, 8, 'bound', 706.1665500239936, X'f9ffffff00000000000000006903013800000015000000789c6360f0b36356636058c0c0c0e0e1a1c5b08d81613d9079a483818581811bc86ae5ad6760025240262303039464863019180011c8066e', 706.1665500239936, 0.0, '');
INSERT INTO steps (part, node, position, kind, decisions, multipliers, lower_bound) VALUES (0, 4, 0, 'fixed', X'640102290000000300000015000000789c6362c0021819189898801808412408b13070b3f070038599991858589858c188910900071f0066', X'f8ffffff00000000000000006903017c00000042000000789c6360e86be1636070f070ab62606050628082aa8836307d60c13730edc0e0c2a035858161c79f1b53187a168a4d038bdaac0153fea2520c0c7c4cf25a40b62ecc84e5d73f43e8b5c2603a8e81936125d08edd42afbb1926b21d6e8798a0cc800e98600c46288b11c6074ab1b082f94c201222ce08a2007d95185e', 706.6314970756331);
INSERT INTO steps (part, node, position, kind, forced) VALUES (0, 4, 1, 'forced', '[["ML", 0, 5, [4, 10]], ["ML", 2, 10, [4, 5]], ["ML", 2, 9, [4, 5]], ["ML", 7, 9, [4, 5]], ["ML", 3, 7, [4, 5]]]');
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'690101120000000c000000789c63606262626160606201520000900019', 706.1666666666667, 'K', 0.0);
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 706.1666666666667, 706.1665500239936, X'690101120000000c000000789c63606262626160606201520000900019', '{}', '');
