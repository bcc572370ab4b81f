-- base: too-few-points
-- refused: Two super-points are enough for two clusters. (section 4)
UPDATE instance SET must_link = X'6901020a000000010000000200000078da6360020000040003';
