-- base: fixed-together
-- refused: Apart the two would cost 17. (section 5)
UPDATE steps SET lower_bound = 17.001;
