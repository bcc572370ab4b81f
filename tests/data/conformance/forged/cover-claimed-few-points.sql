-- base: cover-few-points
-- refused: A part with one super-point counts 0, whatever its nodes say. (section 10)
UPDATE claim SET lower_bound = 0.501;
