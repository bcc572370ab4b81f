-- base: hand
-- refused: There are two instances. (section 1)
INSERT INTO instance SELECT * FROM instance;
