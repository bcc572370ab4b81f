-- base: hand
-- refused: N is an array of doubles. (section 2)
UPDATE nodes SET multipliers = X'0000000000000000000000006608010c0000000600000078da6360200d000000300001' WHERE node = 2;
