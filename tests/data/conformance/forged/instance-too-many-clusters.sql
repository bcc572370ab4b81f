-- base: hand
-- refused: k is more than n. (section 3)
UPDATE instance SET n_clusters = 6;
