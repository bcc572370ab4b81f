-- base: hand
-- refused: There is another table. (section 1)
CREATE TABLE more (position INTEGER);
