-- base: cuts-none
-- refused: Multipliers of no bytes. (section 2)
UPDATE nodes SET multipliers = X'';
