-- base: cuts-star
-- refused: A star proves nothing beyond 14, whatever its multiplier. (section 5)
UPDATE nodes SET closing_bound = 14.01;
