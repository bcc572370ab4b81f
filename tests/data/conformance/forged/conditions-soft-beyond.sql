-- base: hand
-- refused: A soft pair with a point that does not exist. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 5, 0, 0]]}';
