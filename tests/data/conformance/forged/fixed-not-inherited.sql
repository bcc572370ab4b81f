-- base: fixed-inherited
-- refused: Nothing is proved before the step, nor by it. (section 5)
UPDATE steps SET multipliers = X'000000000000000000000000690201160000000a00000078da3bcfc0c0701e84ceb30359ec20c40e0031240359' WHERE position = 0;
