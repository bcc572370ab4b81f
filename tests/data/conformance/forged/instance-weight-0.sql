-- base: hand
-- refused: A weight is 0. (section 3)
UPDATE instance SET weights = X'660801140000000500000078da6360c0073e7c00227b7b067b7b00211c04bd';
