-- base: hand
-- refused: A table has one column more. (section 1)
ALTER TABLE claim ADD COLUMN more INTEGER;
