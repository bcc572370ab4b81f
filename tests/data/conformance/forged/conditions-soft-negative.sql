-- base: hand
-- refused: A penalty is negative. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 1, -1, 0]]}';
