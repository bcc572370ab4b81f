-- base: hand
-- refused: The stream has fewer bytes than are announced. (section 2)
UPDATE claim SET labels = X'6901010c00000005000000789c63606060000000040001';
