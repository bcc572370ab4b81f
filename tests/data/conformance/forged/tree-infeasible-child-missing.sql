-- base: hand
-- refused: A child that is infeasible is missing: nobody knows that it is. (section 3)
DELETE FROM nodes WHERE node = 3;
