-- base: cuts-none
-- refused: Multipliers end within their exponents. (section 2)
UPDATE nodes SET multipliers = X'0000000000000000000000';
