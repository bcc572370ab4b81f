-- base: hand
-- refused: No bytes are no array. (section 2)
UPDATE claim SET labels = X'';
