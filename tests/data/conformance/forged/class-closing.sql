-- base: hand
-- refused: A closing is of an unknown kind. (section 1)
UPDATE nodes SET closing = 'proved' WHERE node = 2;
