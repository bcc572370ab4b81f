-- base: equal-zeros
-- refused: Two super-points are left, where k = 3. (section 4)
UPDATE instance SET n_clusters = 3;
UPDATE claim SET labels = X'6901010b0000000300000078da6360620100000b0007';
