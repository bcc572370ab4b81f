-- base: cover-and-tree
-- refused: What parts and tree prove is not added up. (section 10)
UPDATE claim SET lower_bound = 4.5;
