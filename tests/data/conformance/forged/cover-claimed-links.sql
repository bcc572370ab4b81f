-- base: cover-links
-- refused: The parts prove 1/2 and 2. (section 10)
UPDATE claim SET lower_bound = 2.501;
