-- base: contradiction
-- refused: Nothing contradicts itself. (section 4)
UPDATE instance SET cannot_link = X'6901020a000000010000000200000078da63610000000a0005';
UPDATE instance SET must_link = X'6901020a000000010000000200000078da6360020000040003';
