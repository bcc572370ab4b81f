-- base: odd-cycle
-- refused: A byte follows the last array of nodes.search. (section 2)
UPDATE nodes SET search = CAST(search || X'00' AS BLOB);
