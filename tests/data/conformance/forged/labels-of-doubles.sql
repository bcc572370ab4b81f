-- base: hand
-- refused: Labels are doubles. (section 2)
UPDATE claim SET labels = X'660801140000000500000078da6360c00f3e7cf8c0c0606f6f0f001552038e';
