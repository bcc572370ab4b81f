-- base: cover
-- refused: A point is twice in a part, with half of its weight. (section 10)
UPDATE parts SET points = X'6901010c0000000400000078da6360626101000016000b', weights = X'660801120000000400000078da6360c00e3e7c78f0c01e08001a46049d' WHERE part = 1;
