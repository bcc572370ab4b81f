-- base: hand
-- refused: The lower bound is text. (section 1)
UPDATE claim SET lower_bound = 'much';
