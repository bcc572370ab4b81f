-- base: hand
-- refused: A penalty is null. (section 1)
UPDATE instance SET conditions = '{"soft": [[0, 1, null, 0]]}';
