-- base: hand
-- refused: The labels break a cannot-link. (section 7)
UPDATE claim SET labels = X'6901010d0000000500000078da63606260600000000d0003';
