-- base: hand
-- refused: A byte follows the last array of instance.weights. (section 2)
UPDATE instance SET weights = CAST(weights || X'00' AS BLOB);
