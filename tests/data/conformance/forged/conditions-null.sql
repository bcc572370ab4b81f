-- base: hand
-- refused: The conditions are null, which is no object. (section 13)
UPDATE instance SET conditions = 'null';
