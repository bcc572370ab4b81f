-- base: hand
-- refused: A partition is left, and costs 4. (section 3)
UPDATE claim SET status = 'INFEASIBLE';
