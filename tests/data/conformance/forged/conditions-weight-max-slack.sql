-- base: limits-weight-max-slack
-- refused: A cluster is too heavy by 2^-29 of weight_max. (section 13)
UPDATE instance SET weights = X'660801130000000200000078da63606060686080800f1feced010d5d02df';
