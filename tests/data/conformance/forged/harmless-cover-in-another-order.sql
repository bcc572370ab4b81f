-- base: cover
-- accepted: The parts of a cover in another order, as differences. (section 10)
UPDATE covers SET parts = X'6401010a0000000200000078da63610400000b0006';
