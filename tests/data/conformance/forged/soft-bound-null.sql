-- base: soft-step-together
-- refused: A soft step states no number. (section 3)
UPDATE steps SET lower_bound = NULL;
