-- base: hand
-- accepted: SQLite makes numbers of text in columns that are declared INTEGER or REAL. (section 1)
UPDATE instance SET n_clusters = '2';
UPDATE nodes SET closing_bound = '4.0', branch_i = NULL WHERE node = 4;
