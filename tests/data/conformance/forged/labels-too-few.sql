-- base: hand
-- refused: There are four labels for five points. (section 2)
UPDATE claim SET labels = X'6901010c0000000400000078da636060620200000a0005';
