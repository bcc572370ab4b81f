-- base: hand
-- refused: The stream has more bytes than are announced. (section 2)
UPDATE claim SET labels = X'6901010e00000005000000789c636060626262000000180007';
