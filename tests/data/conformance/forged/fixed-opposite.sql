-- base: fixed-apart
-- refused: Set apart the two cost 1, no more is proved. (section 5)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da636062020000090005';
