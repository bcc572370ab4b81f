-- base: hand
-- refused: A child is missing, for which 0 is proved. (section 3)
DELETE FROM steps WHERE node = 4;
DELETE FROM nodes WHERE node = 4;
