-- base: soft-step-apart
-- refused: Together the first pair pays 1000, the least of both. (section 13)
UPDATE steps SET lower_bound = 1000.001 WHERE kind = 'soft';
