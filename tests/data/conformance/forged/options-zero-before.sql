-- base: hand
-- refused: Zeros before a number are no JSON. (section 1)
UPDATE instance SET options = '{"gap": 00.0001}';
