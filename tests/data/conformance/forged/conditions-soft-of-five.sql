-- base: hand
-- refused: A soft pair has five members. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 1, 1, 0, 0]]}';
