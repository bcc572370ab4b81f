-- base: hand
-- refused: The gap is false, which is no number. (section 1)
UPDATE instance SET options = '{"gap": false}';
