-- base: gram-half
-- refused: Costs of the matrix may be lower by 3 than those of the points. (section 14)
UPDATE claim SET lower_bound = -1.2;
