-- base: equal
-- refused: With soft pairs equal points are not joined. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 2, 0, 5]]}';
