-- base: hand
-- accepted: The clusters have each other's names. (section 7)
UPDATE claim SET labels = X'6901010d0000000500000078da6362626060000000170005';
