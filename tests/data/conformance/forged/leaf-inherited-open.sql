-- base: inherited-at-leaves
-- refused: What is inherited is 2. (section 3)
UPDATE nodes SET closing_bound = 2.001 WHERE node = 2 AND part = 0;
