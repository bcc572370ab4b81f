-- base: cuts-pair
-- refused: A star with one member proves nothing beyond 14. (section 5)
UPDATE nodes SET closing_bound = 14.01;
