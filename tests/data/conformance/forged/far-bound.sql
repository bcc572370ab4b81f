-- base: far
-- refused: The nearest of the pairs would cost 40.5. (section 3)
UPDATE steps SET lower_bound = 40.51 WHERE kind = 'far';
