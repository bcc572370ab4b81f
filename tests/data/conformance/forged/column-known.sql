-- base: hand
-- refused: The claim has a column of another table. (section 1)
ALTER TABLE claim ADD COLUMN seconds REAL;
