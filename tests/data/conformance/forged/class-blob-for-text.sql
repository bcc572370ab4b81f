-- base: hand
-- refused: The options are a blob. (section 1)
UPDATE instance SET options = CAST(options AS BLOB);
