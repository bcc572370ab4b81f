-- base: soft-step-together
-- refused: Apart the two pay 100 and cost 2. (section 13)
UPDATE steps SET lower_bound = 102.001;
