-- base: hand
-- refused: Even numbers of no bytes have a stream. (section 2)
UPDATE claim SET labels = X'6900010000000005000000';
