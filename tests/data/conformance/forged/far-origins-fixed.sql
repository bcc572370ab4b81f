-- base: far-origins
-- refused: A fixed step leaves the origin where it is. (section 5)
UPDATE steps SET kind = 'fixed', multipliers = X'000000000000000000000000690001080000000a00000078da030000000001', lower_bound = 0.0;
