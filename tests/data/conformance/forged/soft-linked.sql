-- base: soft-step-together
-- refused: The two are decided already. (section 13)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da636060010000070005';
