-- base: inherited-at-leaves
-- refused: Nothing is proved of the parent, nor of the leaf. (section 3)
UPDATE nodes SET multipliers = NULL WHERE node = 0 AND part = 0;
