-- base: hand
-- refused: Multipliers of a state that contradicts itself. (section 4)
UPDATE nodes SET closing = 'bound', closing_bound = 4.0, multipliers = X'000000000000000000000000690001080000000300000078da030000000001' WHERE node = 3 AND part = 0;
