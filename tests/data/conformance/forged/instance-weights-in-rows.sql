-- base: hand
-- refused: The weights are an array of two dimensions. (section 2)
UPDATE instance SET weights = X'66080211000000050000000100000078da6360c0073e80803d080000295905ec';
