-- base: hand
-- refused: The header ends early. (section 2)
UPDATE claim SET labels = X'6901010d0000000500';
