-- base: soft-step-paid
-- refused: Apart the two pay 4, beside 2 for others and a cost of 1/2. (section 13)
UPDATE steps SET lower_bound = 6.501;
