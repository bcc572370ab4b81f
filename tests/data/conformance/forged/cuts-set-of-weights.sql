-- base: cuts-set
-- refused: A set cut, but a point has a weight. (section 13)
UPDATE instance SET weights = X'660801140000000400000078da6360c00e3e7cf8c0606f6fef0000164703ce';
UPDATE claim SET objective = 14.0;
