-- base: hand
-- refused: The labels break a must-link. (section 7)
UPDATE claim SET labels = X'6901010d0000000500000078da63606062600200000d0005';
