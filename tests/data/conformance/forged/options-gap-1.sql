-- base: hand
-- refused: The gap is 1. (section 3)
UPDATE instance SET options = '{"gap": 1.0}';
