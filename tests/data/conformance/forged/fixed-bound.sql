-- base: fixed
-- refused: Together the two cost 2 at least, no more is proved. (section 5)
UPDATE steps SET lower_bound = 2.001;
