-- base: hand
-- accepted: Multipliers at a closing that does not need them are checked, and hold. (section 1)
UPDATE nodes SET multipliers = X'0000000000000000000000006901010b0000000300000078da1312140200006d0036' WHERE node = 4;
