-- base: unknown-nothing
-- refused: An open root is no proof that there is no partition. (section 3)
UPDATE claim SET status = 'INFEASIBLE';
