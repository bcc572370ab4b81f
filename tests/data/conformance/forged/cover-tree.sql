-- base: cover-links
-- refused: Nodes of a part hang on no node of it. (section 10)
UPDATE nodes SET parent = 7 WHERE part = 2 AND node = 1;
