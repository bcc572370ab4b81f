-- base: hand
-- refused: The pairs are an array of shape (2, m). (section 1)
UPDATE instance SET cannot_link = X'6901020e000000020000000300000078da63606262e1e00000003c0019';
