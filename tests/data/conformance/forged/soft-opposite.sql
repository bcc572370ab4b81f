-- base: soft-step-together
-- refused: To set the two apart only 1 is paid. (section 13)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da6362620200000f0007';
