-- base: hand
-- refused: The stream ends before its checksum. (section 2)
UPDATE claim SET labels = X'690101090000000500000078da63606062620200';
