-- base: hand
-- refused: A name is twice in one object, once in another spelling. (section 1)
UPDATE instance SET options = '{"gap": 0.0001, "a": 1, "\u0061": 2}';
