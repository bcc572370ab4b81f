-- base: far-origins
-- refused: Without the step nothing is apart, and N costs something. (section 5)
DELETE FROM steps;
