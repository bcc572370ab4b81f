-- base: hand
-- refused: A name is twice in one object. (section 1)
UPDATE instance SET options = '{"gap": 0.0001, "gap": 0.0001}';
