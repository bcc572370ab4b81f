-- base: hand
-- refused: The labels break a must-link. (section 7)
UPDATE instance SET must_link = X'6901020a000000010000000200000078da63620300000c0009';
