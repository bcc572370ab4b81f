-- base: hand
-- refused: A node that is closed by multipliers has text in the place of prices. (section 1)
UPDATE nodes SET prices = 'x' WHERE node = 2;
