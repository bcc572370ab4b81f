-- base: hand
-- refused: A column of a node that plays no part is text. (section 1)
UPDATE nodes SET lower_bound = 'x' WHERE node = 2;
