-- base: hand
-- refused: The points are text. (section 1)
UPDATE instance SET points = '0 2 10 12 11';
