-- base: limits-dear
-- refused: A bound of 1 is not above what all points in one cluster cost: 2. (section 13)
UPDATE nodes SET closing_bound = 0.5, multipliers = X'ffffffffffffffff010000006901010e0000000600000078da6360646460640000001100046401020c000000040000000100000078da63646262020000140008690101090000000100000078da63010000050005';
