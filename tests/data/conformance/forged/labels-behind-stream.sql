-- base: hand
-- refused: The content goes on behind the stream. (section 2)
UPDATE claim SET labels = X'6901010e0000000500000078da636060626202000011000700';
