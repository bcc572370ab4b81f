-- base: bound-stars
-- refused: In the double unit N proves less. (section 5)
UPDATE nodes SET multipliers = X'faffffff00000000000000006902011f0000001500000078da63b9c10004ec454e3c4bd818c080098839c12c2e460624000055030264' WHERE node = 0 AND part = 0;
