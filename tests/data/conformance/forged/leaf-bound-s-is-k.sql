-- base: bound-s-is-k
-- refused: Whatever N is, the one partition costs 1. (section 6)
UPDATE nodes SET closing_bound = 1.001, multipliers = X'f6ffffff00000000000000006908010e0000000300000078da6360c0021a181a0002180101' WHERE node = 0 AND part = 0;
