-- base: soft-step-inherited
-- refused: What is inherited is 14. (section 3)
UPDATE steps SET lower_bound = 14.001 WHERE kind = 'soft';
