-- base: hand
-- refused: The number of clusters is 2.5. (section 1)
UPDATE instance SET n_clusters = 2.5;
