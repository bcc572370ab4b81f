-- base: fixed-apart
-- refused: Together the two would cost 201. (section 5)
UPDATE steps SET lower_bound = 201.001;
