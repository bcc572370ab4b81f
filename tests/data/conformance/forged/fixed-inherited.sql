-- base: fixed-inherited
-- refused: What is inherited is 2. (section 5)
UPDATE steps SET lower_bound = 2.001 WHERE position = 1;
