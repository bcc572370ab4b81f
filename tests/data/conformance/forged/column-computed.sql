-- base: hand
-- refused: A column is computed. (section 1)
ALTER TABLE claim ADD COLUMN i INTEGER AS (1);
