-- base: hand
-- refused: The conditions are no JSON. (section 1)
UPDATE instance SET conditions = '{';
