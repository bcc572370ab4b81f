-- base: colouring
-- refused: The wheel without its last points. (section 4)
UPDATE nodes SET search = X'6901010d0000000500000078da636261e3e00200004b001f';
