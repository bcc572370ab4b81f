-- base: hand
-- refused: A byte follows the last array of instance.cannot_link. (section 2)
UPDATE instance SET cannot_link = CAST(cannot_link || X'00' AS BLOB);
