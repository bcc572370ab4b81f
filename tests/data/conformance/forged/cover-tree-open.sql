-- base: cover-links
-- refused: A child in a part is missing, and the part counts 0. (section 10)
DELETE FROM nodes WHERE part = 2 AND node = 1;
