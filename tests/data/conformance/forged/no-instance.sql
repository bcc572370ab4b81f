-- base: hand
-- refused: There is no instance. (section 1)
DELETE FROM instance;
