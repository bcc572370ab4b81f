-- base: prices
-- refused: A closing by prices proves just what it states. (section 3)
UPDATE claim SET lower_bound = 1.499995;
