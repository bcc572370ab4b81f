-- base: clique-of-super-points
-- refused: Both points of a super-point, which has a colour already. (section 4)
UPDATE nodes SET search = X'6901010d0000000500000078da63e0606261030000390015';
