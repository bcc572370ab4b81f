-- base: prices-axes
-- refused: A byte follows the last array of nodes.prices. (section 2)
UPDATE nodes SET prices = CAST(prices || X'00' AS BLOB);
