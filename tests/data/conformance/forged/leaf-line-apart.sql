-- base: hand
-- refused: A line in a state with cannot-links. (section 11)
UPDATE nodes SET closing = 'line', closing_bound = 4.0, penalty = 1.0 WHERE node = 2 AND part = 0;
