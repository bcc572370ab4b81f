-- base: hand
-- refused: A penalty is text. (section 1)
UPDATE instance SET conditions = '{"soft": [[0, 1, "1", 0]]}';
