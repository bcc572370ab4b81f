-- base: prices-knot
-- refused: The two members of the knot are not apart, and earn together. (section 12)
UPDATE instance SET cannot_link = X'6901020a000000010000000200000078da6360010000060005';
