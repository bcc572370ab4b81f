-- base: odd-cycle-of-five
-- refused: The cycle is not in order: the search goes another way. (section 4)
UPDATE nodes SET search = X'6901010d0000000500000078da63606261e30000002d0015';
