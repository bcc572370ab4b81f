-- base: hand
-- refused: A point is 1.0, which is no whole number. (section 1)
UPDATE instance SET conditions = '{"soft": [[0, 1.0, 0, 0]]}';
