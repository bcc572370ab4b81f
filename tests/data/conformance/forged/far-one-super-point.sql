-- base: far
-- refused: The pair is in one super-point. (section 3)
UPDATE instance SET must_link = X'6901020a000000010000000200000078da6360010000060005';
UPDATE claim SET labels = X'6901010c0000000400000078da636062600000000a0003', objective = 74.0, lower_bound = 0.0;
