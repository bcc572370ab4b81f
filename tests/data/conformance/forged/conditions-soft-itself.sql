-- base: hand
-- refused: A soft pair of a point and itself. (section 13)
UPDATE instance SET conditions = '{"soft": [[1, 1, 1, 0]]}';
