-- base: gram-negative
-- refused: Without a matrix the cost is that of the points. (section 14)
UPDATE instance SET gram = NULL;
