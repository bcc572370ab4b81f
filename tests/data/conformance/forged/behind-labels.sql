-- base: hand
-- refused: A byte follows the last array of claim.labels. (section 2)
UPDATE claim SET labels = CAST(labels || X'00' AS BLOB);
