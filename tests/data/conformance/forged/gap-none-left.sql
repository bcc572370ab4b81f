-- base: bound-stars
-- refused: The gap is 8e-7, where 0 is asked for. (section 3)
UPDATE instance SET options = '{"gap": 0}';
