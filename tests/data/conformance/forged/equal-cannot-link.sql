-- base: equal
-- refused: A point that is joined has a cannot-link. (section 4)
UPDATE instance SET cannot_link = X'6901020a000000010000000200000078da6360010000060005';
