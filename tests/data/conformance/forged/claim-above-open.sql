-- base: open-node
-- refused: Only 2 is proved, of an open root. (section 3)
UPDATE claim SET lower_bound = 2.001;
