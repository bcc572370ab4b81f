-- base: single-one-cluster
-- refused: One cluster costs 14. (section 3)
UPDATE nodes SET closing_bound = 14.001 WHERE node = 0 AND part = 0;
