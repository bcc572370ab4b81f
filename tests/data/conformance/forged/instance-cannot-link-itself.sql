-- base: hand
-- refused: A cannot-link of a point with itself: no labels keep it. (section 3)
UPDATE instance SET cannot_link = X'6901020e000000030000000200000078da636061e260630300004c001b';
