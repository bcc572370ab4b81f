-- base: cover-few-points
-- refused: The whole is not infeasible because a part with one super-point is said to be. (section 10)
UPDATE claim SET status = 'INFEASIBLE';
