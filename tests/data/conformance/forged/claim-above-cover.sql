-- base: cover
-- refused: The parts prove 1 together. (section 10)
UPDATE claim SET lower_bound = 1.001;
