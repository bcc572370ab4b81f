-- base: prices
-- refused: With a price of 2 a pair earns more than the others. (section 12)
UPDATE nodes SET prices = X'660801120000000600000078da636020027c0001077b1000002f91062c' WHERE closing = 'prices';
