-- base: hand
-- refused: A pair names point -1. (section 3)
UPDATE instance SET cannot_link = X'6901020a000000010000000200000078da6364010000080006';
