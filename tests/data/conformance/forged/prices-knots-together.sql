-- base: prices-knot-decided
-- refused: Prices of three super-points, where the decision leaves two. (section 12)
UPDATE nodes SET kind = 'CL', closing = 'open', closing_bound = 0.0, multipliers = X'000000000000000000000000690001080000000600000078da030000000001' WHERE node = 1;
UPDATE nodes SET kind = 'ML' WHERE node = 2;
