-- base: hand
-- refused: The number of clusters is text. (section 1)
UPDATE instance SET n_clusters = 'two';
