-- base: hand
-- refused: The options are no JSON. (section 1)
UPDATE instance SET options = '{"gap": 0.0001';
