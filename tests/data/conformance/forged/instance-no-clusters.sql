-- base: hand
-- refused: k = 0. (section 3)
UPDATE instance SET n_clusters = 0;
