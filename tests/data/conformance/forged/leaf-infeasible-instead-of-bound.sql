-- base: hand
-- refused: There is no search that says so. (section 4)
UPDATE nodes SET closing = 'infeasible' WHERE node = 2 AND part = 0;
