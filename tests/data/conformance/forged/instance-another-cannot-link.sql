-- base: hand
-- refused: The labels break a cannot-link. (section 7)
UPDATE instance SET cannot_link = X'6901020e000000030000000200000078da636061e260e10000004a001b';
