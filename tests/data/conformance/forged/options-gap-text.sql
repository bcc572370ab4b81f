-- base: hand
-- refused: The gap is text. (section 1)
UPDATE instance SET options = '{"gap": "0.0001"}';
