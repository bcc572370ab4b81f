-- base: hand
-- refused: Labels are an array of no dimension. (section 2)
UPDATE claim SET labels = X'69010009000000789c63000000010001';
