-- base: hand
-- refused: NaN is no JSON. (section 1)
UPDATE instance SET conditions = '{"soft": [[0, 1, NaN, 0]]}';
