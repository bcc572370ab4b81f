-- base: limits-weight-min-slack
-- refused: A cluster is too light by 2^-29 of weight_min. (section 13)
UPDATE instance SET weights = X'660801120000000200000078da63600081ff60f8fe83bd3d001f41055b';
