-- base: hand
-- refused: There are two claims. (section 1)
INSERT INTO claim SELECT * FROM claim;
