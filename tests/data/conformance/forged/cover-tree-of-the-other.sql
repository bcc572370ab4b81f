-- base: cover-and-tree
-- refused: The tree of the whole proves 4, and states 5. (section 11)
UPDATE nodes SET closing_bound = 5.0 WHERE part = 0;
