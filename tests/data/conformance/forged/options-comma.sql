-- base: hand
-- refused: A comma before the end of an object is no JSON. (section 1)
UPDATE instance SET options = '{"gap": 0.0001,}';
