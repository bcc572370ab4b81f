-- base: hand
-- refused: The seconds of a node are infinite, though nothing is proved with them. (section 1)
UPDATE nodes SET seconds = 9e999 WHERE node = 2;
