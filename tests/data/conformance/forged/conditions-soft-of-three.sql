-- base: hand
-- refused: A soft pair has three members. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 1, 1]]}';
