-- base: hand
-- refused: Nothing is proved without nodes. (section 3)
DELETE FROM steps;
DELETE FROM nodes;
