-- base: hand
-- refused: A byte follows the last array of instance.points. (section 2)
UPDATE instance SET points = CAST(points || X'00' AS BLOB);
