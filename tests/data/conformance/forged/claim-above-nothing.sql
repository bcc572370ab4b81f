-- base: no-nodes
-- refused: Without nodes nothing is proved but 0. (section 3)
UPDATE claim SET lower_bound = 0.001;
