-- base: hand
-- refused: Another soft pair is broken, so that the labels cost more. (section 13)
UPDATE instance SET conditions = '{"soft": [[0, 2, 1, 0]]}';
