-- base: cover
-- refused: A byte follows the last array of covers.parts. (section 2)
UPDATE covers SET parts = CAST(parts || X'00' AS BLOB);
