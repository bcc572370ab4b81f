-- base: hand
-- refused: Numbers have nine bytes. (section 2)
UPDATE claim SET labels = X'6909010c00000005000000789c636020010000002d0001';
