-- base: gap-is-wide
-- refused: The gap is 0.5, where 0.4 is asked for. (section 3)
UPDATE instance SET options = '{"gap": 0.4}';
