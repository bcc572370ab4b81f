-- base: gram-half
-- refused: A leaf states more than is proved of the points. (section 3)
UPDATE nodes SET closing_bound = 2.001 WHERE node = 1;
