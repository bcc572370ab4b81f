-- base: hand
-- refused: The status is an unknown one. (section 1)
UPDATE claim SET status = 'PERFECT';
