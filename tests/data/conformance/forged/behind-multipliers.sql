-- base: hand
-- refused: A byte follows the last array of nodes.multipliers. (section 2)
UPDATE nodes SET multipliers = CAST(multipliers || X'00' AS BLOB) WHERE node = 2;
