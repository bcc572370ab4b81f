-- base: hand
-- refused: A weight is no number. (section 2)
UPDATE instance SET weights = X'660801160000000500000078da6360c0073e7cf8f1e183bd7dbdbd3d002a590634';
