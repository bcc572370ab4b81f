-- base: odd-cycle
-- refused: A triangle has three colours. (section 4)
UPDATE instance SET n_clusters = 3;
