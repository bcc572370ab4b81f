-- base: hand
-- refused: The pairs are an array of one dimension. (section 2)
UPDATE instance SET must_link = X'6901010a0000000200000078da636103000010000b';
