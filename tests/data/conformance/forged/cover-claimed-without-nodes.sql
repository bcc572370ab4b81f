-- base: cover-without-nodes
-- refused: A part without nodes counts 0. (section 10)
UPDATE claim SET lower_bound = 0.501;
