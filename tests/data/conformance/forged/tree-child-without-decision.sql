-- base: hand
-- refused: A child has no decision. (section 3)
UPDATE nodes SET kind = NULL, i = NULL, j = NULL WHERE node = 4;
