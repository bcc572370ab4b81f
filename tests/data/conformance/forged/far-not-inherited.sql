-- base: far-inherited
-- refused: Less is proved before the step, and the pair by itself costs 2. (section 3)
UPDATE steps SET multipliers = X'000000000000000000000000690001080000001500000078da030000000001' WHERE position = 0;
