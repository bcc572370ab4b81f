-- base: hand
-- refused: OPTIMAL needs labels. (section 1)
UPDATE claim SET labels = NULL;
