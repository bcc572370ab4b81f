-- base: hand
-- refused: The version is text that is no UTF-8. (section 1)
UPDATE instance SET version = CAST(X'FF' AS TEXT);
