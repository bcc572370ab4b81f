-- base: hand
-- refused: The points are an array of one dimension. (section 2)
UPDATE instance SET points = X'660801120000000500000078da6360c00f5434d4181c80000005c40173';
