-- base: hand
-- refused: Without a cannot-link the state of a leaf is not infeasible. (section 4)
UPDATE instance SET cannot_link = X'6901020a000000010000000200000078da6360010000060005';
