-- base: fixed
-- refused: Decisions are an array of shape (2, t). (section 2)
UPDATE steps SET decisions = X'6901020a000000020000000100000078da6360020000040003';
