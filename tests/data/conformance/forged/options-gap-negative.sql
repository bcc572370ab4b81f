-- base: hand
-- refused: The gap is negative. (section 3)
UPDATE instance SET options = '{"gap": -0.0001}';
