-- base: soft-step-together
-- refused: A soft step needs multipliers. (section 13)
UPDATE steps SET multipliers = NULL;
