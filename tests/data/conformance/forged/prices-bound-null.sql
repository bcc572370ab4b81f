-- base: prices
-- refused: A closing by prices states no number. (section 12)
UPDATE nodes SET closing_bound = NULL WHERE closing = 'prices';
