-- base: far-inherited
-- refused: What is inherited is 13.9999887. (section 5)
UPDATE steps SET lower_bound = 14.01 WHERE kind = 'far';
