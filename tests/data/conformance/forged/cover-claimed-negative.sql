-- base: cover-negative
-- refused: A part counts 0 at least, not more. (section 10)
UPDATE claim SET lower_bound = 0.501;
