-- base: hand
-- refused: A weight is negative. (section 3)
UPDATE instance SET weights = X'660801130000000500000078da6360c0073e8080bdfd7e7b7b002ad9066c';
