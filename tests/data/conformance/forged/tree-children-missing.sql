-- base: hand
-- refused: Both children are missing, for which 0 is proved. (section 3)
DELETE FROM steps WHERE node = 4;
DELETE FROM nodes WHERE parent = 1;
