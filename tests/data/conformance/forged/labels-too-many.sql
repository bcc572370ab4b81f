-- base: hand
-- refused: There are six labels for five points. (section 2)
UPDATE claim SET labels = X'6901010c0000000600000078da636060020200001a0009';
