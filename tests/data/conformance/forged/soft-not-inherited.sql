-- base: soft-step-inherited
-- refused: Multipliers of the soft step prove nothing. (section 3)
UPDATE steps SET multipliers = X'000000000000000000000000690201110000000600000078da6360606038cf0002ec0c00069200d7' WHERE kind = 'fixed';
