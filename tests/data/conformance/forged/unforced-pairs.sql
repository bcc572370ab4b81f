-- base: limits-forced
-- refused: Two points by themselves are not too much. (section 13)
UPDATE instance SET must_link = X'6901020a000000010000000200000078da6360020000040003';
