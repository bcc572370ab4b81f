-- base: hand
-- refused: The labels use two clusters, where k = 3. (section 7)
UPDATE instance SET n_clusters = 3;
