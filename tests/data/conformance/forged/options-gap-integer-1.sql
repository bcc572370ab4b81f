-- base: hand
-- refused: The gap is 1, as a whole number. (section 3)
UPDATE instance SET options = '{"gap": 1}';
