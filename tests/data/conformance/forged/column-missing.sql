-- base: hand
-- refused: A column is missing, though one that plays no part. (section 1)
ALTER TABLE claim DROP COLUMN digest;
