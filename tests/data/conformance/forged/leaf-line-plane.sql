-- base: prices-plane
-- refused: A line where two features vary. (section 11)
UPDATE nodes SET closing = 'line', closing_bound = 0.9999, penalty = 1.0 WHERE node = 0 AND part = 0;
