-- base: hand
-- refused: The labels cost more with other weights. (section 7)
UPDATE instance SET weights = X'660801160000000500000078da6360c0073e7cf8c0f0c1dededec11e0022cb04fd';
