-- base: hand
-- refused: A pair names point 5 of 0 to 4. (section 3)
UPDATE instance SET must_link = X'6901020a000000010000000200000078da63e102000014000f';
