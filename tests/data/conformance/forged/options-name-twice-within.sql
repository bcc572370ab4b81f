-- base: hand
-- refused: A name is twice in an object that nobody needs. (section 1)
UPDATE instance SET options = '{"gap": 0.0001, "more": [{"a": 1, "a": 2}]}';
