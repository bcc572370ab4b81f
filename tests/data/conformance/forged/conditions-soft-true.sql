-- base: hand
-- refused: A penalty is true, which is no number. (section 1)
UPDATE instance SET conditions = '{"soft": [[0, 1, true, 0]]}';
