-- base: far
-- refused: A far step states no number. (section 3)
UPDATE steps SET lower_bound = NULL WHERE kind = 'far';
