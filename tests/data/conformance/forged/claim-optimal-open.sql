-- base: open-node
-- refused: The gap is 0.5, where 10^-4 is asked for. (section 3)
UPDATE claim SET status = 'OPTIMAL';
