-- base: hand
-- refused: The conditions are a list. (section 13)
UPDATE instance SET conditions = '[]';
