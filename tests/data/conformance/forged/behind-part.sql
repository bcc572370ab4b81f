-- base: cover
-- refused: A byte follows the last array of parts.points. (section 2)
UPDATE parts SET points = CAST(points || X'00' AS BLOB) WHERE part = 2;
