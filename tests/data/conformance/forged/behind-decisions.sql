-- base: fixed
-- refused: A byte follows the last array of steps.decisions. (section 2)
UPDATE steps SET decisions = CAST(decisions || X'00' AS BLOB);
