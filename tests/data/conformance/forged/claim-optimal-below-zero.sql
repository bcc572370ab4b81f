-- base: gram-negative
-- refused: With a cost below 0 the gap is infinite, as less is proved. (section 14)
UPDATE claim SET status = 'OPTIMAL';
