-- base: far
-- refused: A far step without pairs. (section 3)
UPDATE steps SET decisions = X'69000208000000030000000000000078da030000000001' WHERE kind = 'far';
