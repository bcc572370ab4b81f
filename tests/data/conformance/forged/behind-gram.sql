-- base: gram
-- refused: A byte follows the last array of instance.gram. (section 2)
UPDATE instance SET gram = CAST(gram || X'00' AS BLOB);
