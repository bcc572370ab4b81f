-- base: hand
-- refused: The must-links are triples. (section 1)
UPDATE instance SET must_link = X'6901020b000000010000000300000078da63626103000017000d';
