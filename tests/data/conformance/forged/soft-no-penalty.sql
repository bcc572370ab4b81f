-- base: soft-step-at-once
-- refused: Nothing is paid for this pair. (section 13)
UPDATE steps SET decisions = X'6401020b000000030000000100000078da6360e00200000d000b';
