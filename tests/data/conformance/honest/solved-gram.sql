-- A Gram matrix.
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
INSERT INTO instance (n_clusters, points, weights, must_link, cannot_link, digest, options, names, version, conditions, gram) VALUES (3, X'660802700100000800000007000000789ceb7bbce8a8519bb16e93da99275719bebc640081bcc0feb98fe6a8e580390ce14e5b40d4faf3139c8154a84856cb030606878ab333573a856fdab65e96670ec3fc83609553baa7db4fd812580ad127181b0fa296c45dd901a4dcacf827083130b4f934cebbc37bd22e6d11dfb9ab0c7e1bc12afd3a22560a4c3cb105a2ef9dd26a1035aff2cb152075f1e68c26a084837dd267a34da7c24d26a72749324c1001abfc6db08fa9f0fca92688be22e93f20eab277fa2320a593f2e7c5610686b4fb5319eedcadd9fc6fd6c953ff1836c981551abee26b9076a83905d1e774f50088b2918c4e0252db39c3366b3130289ae96872d52a0764ccacb0cb67b8570356199f6fbbdbea89b22544df2fd5701075a684310d487dff2ee2a1cec05072b16ad7f2c9fd970eed3dbc613ec3c5c7609597f71edbb0b8bdff0544df999bb741d4e9b32d2780d495cb87366f6260d8bf7fbffd7e28b0670022100009d9efb7877018ec21a25001b01c030300fa0d9479', X'6608011100000008000000789c6360200d7c80027b28000066dc0979', X'690002080000000000000002000000789c030000000001', X'690002080000000000000002000000789c030000000001', '2afa8b1e96849601b5cee8ee1d60c1ca5294dba6281b3031c9e025706129e4db', '{"gap": 0.0001, "time_limit": null, "node_limit": null, "workers": 1, "seed": 0, "engine": "admm", "ilp": "auto", "params": {"admm": {"iterations": 30, "over_relaxation": 1.6, "sweeps": 2, "balance_every": 10, "residual_ratio": 1.5, "first_balance": 4.0, "largest_balance": 1.5, "balance_for": 150, "most_multiplier": 30.0, "first_penalty": 0.1, "informed_penalty": 0.1, "converged": 1e-07, "inexactness": 0.5}, "cuts": {"per_point": 60, "first_threshold": 0.1, "usual_threshold": 0.001, "last_threshold": 1e-05, "fall": 0.3, "sets": 20, "patience": 8, "short_patience": 4, "least_progress": 0.1}, "tree": {"root_rounds": 150, "node_rounds": 60, "fixing_gap": 0.02, "least_fixed_share": 0.2, "fixing_loss": 0.01, "rounding_every": 4, "heuristic_needed_gap": 0.005, "largest_left_open": 1500}, "colouring": {"quick_steps": 20, "search_steps": 200000, "tabu_steps": 100000, "refutation_steps": 20000000, "refutation_work": 2000000000, "forced_nodes": 2000, "forced_intersections": 50000000, "region_steps": 100000, "ascent_work": 50000000, "core_steps": 1000000, "core_tabu_steps": 20000}, "memetic": {"population": 20, "max_stall": 500, "max_generations": null, "delta": 0.0001, "scale": [0.5, 0.8], "alpha": 0.5, "max_local_iterations": 500, "grafts_from": 10, "polish_up_to": 500000000, "swaps_up_to": 2000, "alone_up_to": 300}, "blocks": {"least_size": 64, "least_members": 8, "largest_size": 4000, "whole_up_to": 800, "exchanges": 500, "probes": 2, "own_gap": 0.25, "own_slack": 0.25, "nodes": 5, "memetic_up_to": 30000}, "prices": {"features_up_to": 16, "points_from": 20, "points_up_to": 1000000000, "first_cells": 128, "last_cells": 6144, "share_of_time": 0.8}}}', '{"first": 0, "ids": null, "features": null}', '1', '{}', X'660802cf0100000800000008000000789ca5c1cd2b83710007f0af497a4e9c1e426b96da09c986929ee66517241149d15cd4dac1d5237bb2a6e6e06029525c6645664aa139cc1cec71b17a0e963c84a7bd3cf37bb6fd1c76b01de68ff0f960de79c0d6bccccc63b8f666576d750e23de75fd7e7c501b8796610dec4d97864af378cdee75a682c1d28bface360fa277a6f5d8305eea05c4305d6bb8524470c422dbdd610e31fda3aca3248668dfded89a451f45c9c335c88f7d255431577679cf53850bc5ad1be3980bc076e4bb5df6aeda707ec92f447247e710891a167d972216ebbd2bb73c59043357595e50eb19d8e2de48d83b67c3fa6a4e5ca9c4d781d1d84fb4df611c05b3117406da620c764c9389f2cfc60e22a7f65034688a407912fa9d93a70ada3b1c8184fda91d5bc6b67248e8d8027cc2f4c75051ef43e39d715372088d6809f2e6b3e9bb163cfb03f71fc6e0335cba93a14ddeefc2d244513207744b60f58eb3fb930916b058bb6743d5df168c6c77fa0f07ac23703fbcf5d4756fbbc17b4c53b39d0f3c9a546bc8ffe6698279bffab0c7a49af1fb3d503765ddff05cd2924450a991c4de7e5545653d29448d2679ee4097dfd520b29597aa5e96c82a4a4af34d5e442f653cd6a3499d1f285849ca4dc3ffd01054cf03b');
INSERT INTO nodes (position, part, node, closing, closing_bound, multipliers, lower_bound, seconds, digest) VALUES (1, 0, 0, 'bound', 0.5339393820282996, X'eeffffffeeffffff020000006903015c00000024000000789c63b09ae0f68f81a186818161855d13907438d6c0c020a791c170fad389150c0c6f809081d18db583812108289b20cd0824ab92ea1818feceffc2c0c1cdd4c6c0b08a410328c8c4000510063333906682b241888901004aee123d640102200000000300000009000000789c636060600321266e0616562606460e560e2646164e2e56265600043600616902011b00000009000000789c9b647262dfaf5707567d2b9662604d954bb1310400622308776401020c0000000400000001000000789c6360e2600200001c000d6901010900000001000000789c3b000000c100c1', 0.5339393820282996, 0.0, '');
INSERT INTO incumbents (position, labels, objective, source, seconds) VALUES (1, X'6901011000000008000000789c63606262626160600200003e000d', 0.5339394355378391, 'K', 0.0);
INSERT INTO claim (status, objective, lower_bound, labels, details, digest) VALUES ('OPTIMAL', 0.5339394355378391, 0.5339393820282092, X'6901011000000008000000789c63606262626160600200003e000d', '{}', '');
