-- base: hand
-- refused: The root is missing, and nodes hang on it. (section 3)
DELETE FROM nodes WHERE node = 0;
